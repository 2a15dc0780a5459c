"""Stealth in the window: cones, meters, causes, noise, beliefs, barks, tiles and plan mode."""
