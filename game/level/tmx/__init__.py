"""The strict reading of Tiled files."""
