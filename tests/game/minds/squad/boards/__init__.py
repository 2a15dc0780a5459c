"""Tests of the boards of squads."""
