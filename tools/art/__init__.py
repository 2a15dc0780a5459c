"""The bake: every picture and sound of Fogline is drawn by this package from code, deterministically."""
