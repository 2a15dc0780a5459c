"""The path manager: quick, full, splice and priority paths on one budget."""
