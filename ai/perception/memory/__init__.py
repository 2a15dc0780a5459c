"""Memory: where units that are out of sight were, and where they may be."""
