"""Input: keys, mouse, commands and the orders they make."""
