"""The state of a running game: unit columns, orders, events, settings; data only."""
