"""Icons of the bake."""
