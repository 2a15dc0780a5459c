"""State of the path manager: persistent structures, decisions and counts."""
