"""Scripts: timed orders, a scripted player, unit selectors and hints."""
