"""Who uses which technique: soldiers and guards, woken by events."""
