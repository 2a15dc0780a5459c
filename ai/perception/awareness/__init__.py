"""Awareness: from sight to a watcher's certainty and its reaction."""
