"""Group scripts: actions by role, joined by signals and waits."""
