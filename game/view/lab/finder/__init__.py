"""Finder: one line that finds commands, overlays, exhibits, levels, settings and terms."""
