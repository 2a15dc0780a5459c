"""Examples of `ai/` in other programs."""
