"""Ground: chunks of baked tiles, trees, roofs, bridges and props."""
