"""Paths of groups: one path for many units, with the width that they need."""
