"""Sandbox tools of Lab: palette, brushes and verbs with mouse and keys."""
