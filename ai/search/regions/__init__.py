"""Regions: patches of uniform ground, next-hop tables and paths over borders."""
