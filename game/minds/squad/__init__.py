"""Squad minds: the picture of a squad, its intents, and its commands to members."""
