"""Benches of what must not break: files, orders, saves, long games."""
