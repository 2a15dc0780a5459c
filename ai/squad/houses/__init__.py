"""Manoeuvres in houses, and questions about rooms and doors."""
