"""Regions: even patches of ground, next-hop tables and paths over their borders."""
