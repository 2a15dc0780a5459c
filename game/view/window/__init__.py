"""The window around the game: start-up, playing, options, sound and screenshots."""
