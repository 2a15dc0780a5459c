"""Scenes of smart zones: the guard's skill, and the turns of zones."""
