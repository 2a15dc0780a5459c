"""Orders: one small handler for each kind, and the table of handlers.

The orders stage uses the table.
"""
