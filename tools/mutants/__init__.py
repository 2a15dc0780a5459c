"""Mutation tests of the techniques: ``python -m tools.mutants [SLUG...]``."""
