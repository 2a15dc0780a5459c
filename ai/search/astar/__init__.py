"""A* over terrain costs.

It is resumable, in one call, with growing limits, or the quick search.
"""
