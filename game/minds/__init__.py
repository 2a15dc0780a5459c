"""Minds: techniques of soldiers and guards, woken by events."""
