"""Benchmarks: ``python -m tools.bench NAME``."""
