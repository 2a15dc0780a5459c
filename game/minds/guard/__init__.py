"""The guard: patrol, investigation, fight and what it does about its comrades."""
