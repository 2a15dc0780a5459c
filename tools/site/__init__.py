"""Static site of the gallery: pages, pictures and loops made from the game."""
