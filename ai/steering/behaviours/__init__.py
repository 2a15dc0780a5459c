"""Steering behaviours: each computes a wanted velocity or a part of it."""
