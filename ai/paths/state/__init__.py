"""State of the path manager: what it remembers, its decisions and its counts."""
