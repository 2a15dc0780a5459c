"""Groups on the march: when to set out, which shape to take, when to fight, when they have arrived."""
