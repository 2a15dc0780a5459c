"""Systems: what acts on the state of the world."""
