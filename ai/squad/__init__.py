"""What several units do together: searching, minding each other."""
