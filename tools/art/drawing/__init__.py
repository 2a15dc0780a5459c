"""Drawing basics of the bake: canvas, pen, noise, washes and PNG."""
