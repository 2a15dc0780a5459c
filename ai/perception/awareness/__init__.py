"""Awareness: from what eyes see to how sure a watcher is and what it does about it."""
