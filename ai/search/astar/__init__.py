"""A* over terrain costs: resumable, in one call, with growing limits, and the quick search."""
