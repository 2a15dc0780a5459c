"""Strips of buttons and keys below an exhibit's picture.

A script selects one, as ``strip = "steps"``.
"""
