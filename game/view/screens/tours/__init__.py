"""Tours: stops at exhibits with a guess, a run, an answer and code."""
