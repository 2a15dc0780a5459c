"""Units on the map: figures, labels, marks and effects."""
