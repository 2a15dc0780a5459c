"""Smoothing of finished paths, and line tests for bodies with a width."""
