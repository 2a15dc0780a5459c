"""Splicing: joining a finished path to the path that the unit is on."""
