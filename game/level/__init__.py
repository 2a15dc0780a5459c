"""Tiled files in, validated levels out."""
