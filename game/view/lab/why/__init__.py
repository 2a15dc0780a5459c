"""Why-panel of Lab: the last decisions of a unit, their causes, and their code."""
