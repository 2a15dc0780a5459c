"""Overlays about the senses, stealth and tactics."""
