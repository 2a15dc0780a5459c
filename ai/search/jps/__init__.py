"""Jump point search: online, JPS+ with jump tables, and goal bounds."""
