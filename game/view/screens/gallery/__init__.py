"""Screens of the gallery: the cards, and the page of a card."""
