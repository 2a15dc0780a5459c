"""Animation: which clip starts when, on which part of the body.

Positions come in as arrays.
"""
