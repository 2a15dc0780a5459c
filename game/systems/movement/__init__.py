"""Movement: stances that a path needs, sneaking and routes around crowds."""
