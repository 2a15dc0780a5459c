"""Overlays about searches: tables, graphs and expanded tiles."""
