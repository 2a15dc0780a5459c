"""Side by side: the same game twice in one window."""
