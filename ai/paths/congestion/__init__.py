"""Congestion: crowds as a field, and paths that cost time rather than length."""
