"""Engines: select the search for a full request, and run same-tick searches."""
