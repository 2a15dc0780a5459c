"""The tick and its stages, headless runs, expectations, replays and saves."""
