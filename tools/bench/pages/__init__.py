"""Page of committed figures: origins of the files, and tables made from them."""
