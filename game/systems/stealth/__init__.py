"""Stealth: what each side notices, knows and believes."""
