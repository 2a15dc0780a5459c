"""Interaction: doors, things, bodies, traps and edits of the map."""
