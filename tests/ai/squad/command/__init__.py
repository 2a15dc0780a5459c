"""Tests of command and allocation."""
