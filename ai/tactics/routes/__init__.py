"""Tactical routes: paths by tactical costs, flank routes and avenues of approach."""
