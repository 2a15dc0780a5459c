"""Command: messages between the ranks, and allocation of squads to objectives."""
