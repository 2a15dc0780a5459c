"""Overlays of influence layers, territory, and routes around the enemy."""
