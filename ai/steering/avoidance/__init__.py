"""Avoidance of other bodies before they touch."""
