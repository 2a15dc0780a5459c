"""Comparisons: the same game twice with different settings, for one seed or many."""
