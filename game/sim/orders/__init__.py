"""Orders: one small handler for each kind, and the table in which the orders stage looks it up."""
