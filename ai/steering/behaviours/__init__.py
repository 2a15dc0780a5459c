"""Steering behaviours: each makes a wanted velocity or a part of it."""
