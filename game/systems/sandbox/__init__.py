"""Sandbox of Lab: brushes on the map with undo, and verbs on units."""
