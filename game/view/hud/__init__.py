"""The HUD: panels, command card, minimap, hints and notices."""
