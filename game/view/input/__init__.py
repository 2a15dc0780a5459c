"""Input of the player: keys, mouse, commands and orders."""
