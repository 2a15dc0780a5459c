"""Sharing: one search that serves several units."""
