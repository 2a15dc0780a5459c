"""Tactical analysis: choke points, choke cover, hiding places, unseen paths."""
