"""Execution of plans: a graph of steps with verified conditions."""
