"""Tests of emergent squads."""
