"""State of movement groups: their drill, their members, and drawn formations."""
