"""Groups in the tick: formed by orders, led along paths, with members in slots."""
