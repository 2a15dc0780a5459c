"""Coordination of squad members by tokens: exclusive roles, and limited actions."""
