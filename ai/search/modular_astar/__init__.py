"""Modular A*: one engine with replaceable storage, goal and modifier."""
