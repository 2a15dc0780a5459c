"""Checks: what holds a headless run to its expectations."""
