"""Smart zones: a place owns a scene and casts free units in its roles."""
