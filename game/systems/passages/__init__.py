"""Passages for one body: reservations and right of way."""
