"""Tactical ground: places on the map, facts about them, and the choice among them."""
