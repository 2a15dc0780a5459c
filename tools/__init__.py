"""Developer tools: benches, asset baking, map import."""
