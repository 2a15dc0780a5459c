"""Timeline in the window: scrub bar, marks, and the copy that shows the past."""
