"""Engines: which search answers a full request, and the searches that run in one call."""
