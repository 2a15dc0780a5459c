"""Pages of the inspector, one for each kind of thing that can be clicked."""
