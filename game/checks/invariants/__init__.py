"""Invariants of motion, sight, search and fairness, watched in every tick."""
