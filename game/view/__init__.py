"""The window: reads the world and changes it only through orders."""
