"""How bodies move: following, whiskers, avoidance, walls and overlap."""
