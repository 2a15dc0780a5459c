"""Strips of own buttons and keys that an exhibit may have below its picture: ``strip = "steps"`` in its script."""
