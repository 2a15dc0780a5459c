"""Sweeps: levels x seeds x settings, played headless here or on a cluster."""
