"""Splicing: joins a finished path to the unit's present path."""
