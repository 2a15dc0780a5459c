"""Screens of the window; the app keeps them on a stack."""
