"""The window: reads the world, speaks to it only in orders."""
