"""Lab: the list of overlays, legends, panels and the inspector."""
