"""Body: gait, footfalls and acts of every unit, seen or not."""
