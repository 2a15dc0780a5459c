"""Metrics: the numbers of exhibits, one function a measure."""
