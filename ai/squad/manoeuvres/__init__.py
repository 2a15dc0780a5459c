"""Squad manoeuvres: one life cycle, and the manoeuvres that it runs."""
