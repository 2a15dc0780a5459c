"""Fogline's AI library: numpy in, numpy out; knows neither pygame nor the game."""
