"""Traffic: lanes, right of way and reservation of narrow ground."""
