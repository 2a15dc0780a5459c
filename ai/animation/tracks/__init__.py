"""Tracks: orders from a mind to a body, as rows of arrays.

A mind gives an order for a kind of act and keeps a handle. Nothing here knows the mind or the pictures.
"""
