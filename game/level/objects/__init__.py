"""Objects of a map: spawns, routes, doors, regions, lights and triggers."""
