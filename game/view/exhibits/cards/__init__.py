"""Cards of the gallery: their words, their order, their search and their pictures."""
