"""Congestion: crowds as a field, and paths that minimize time, not length."""
