"""Avoidance: keeping clear of other bodies before they touch."""
