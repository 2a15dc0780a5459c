"""Groups on the march: setting out, choice of shape, combat, arrival."""
