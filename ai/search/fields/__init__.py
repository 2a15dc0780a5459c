"""Flow fields: one search from the goal for all units that go there."""
