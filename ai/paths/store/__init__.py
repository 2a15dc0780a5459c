"""The path store: the waypoints of every unit, and the kernels that follow them."""
