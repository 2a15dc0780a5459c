"""Exhibits and the search explorer: frames, captions, strips and gallery rows."""
