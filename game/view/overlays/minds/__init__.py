"""Overlays about minds: states, goal queues and partial updates."""
