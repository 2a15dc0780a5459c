"""Memory: last known and possible positions of unseen units."""
