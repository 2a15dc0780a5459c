"""Stimuli: sounds, bodies and changed things, registered in one place."""
