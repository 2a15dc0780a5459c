"""Movement of bodies: following, whiskers, avoidance, walls and overlap."""
