"""Quick, priority and straight paths: searches that end within the tick."""
