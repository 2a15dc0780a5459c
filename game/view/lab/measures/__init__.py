"""Times of the ticks in the window: budget panel and trace file."""
