"""Where things are in tactical terms: areas and the chokes between them, hiding places, who could see whom."""
