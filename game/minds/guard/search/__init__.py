"""The search of a guard: pursuit, shared search and covered exits."""
