"""Any-angle search: Theta*, Lazy Theta* and their lines of sight."""
