"""Groups in the tick: formed by orders, led along their ways, their members sent to their slots."""
