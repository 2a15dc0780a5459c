"""Blackboards: boards by scope, sources and arbiter, missions, requests."""
