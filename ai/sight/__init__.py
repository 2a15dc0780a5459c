"""Who can see what: shadowcasting, lines of sight and team visibility."""
