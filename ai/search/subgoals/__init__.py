"""Subgoal graphs of one, two and more levels."""
