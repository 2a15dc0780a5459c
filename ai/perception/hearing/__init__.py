"""Hearing: how loud a sound is at a listener, along doors and openings."""
