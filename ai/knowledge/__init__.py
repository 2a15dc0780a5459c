"""What a side believes, made of percepts alone."""
