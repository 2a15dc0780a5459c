"""What the player sees of stealth: eyes and meters, why a guard noticed, noise, beliefs, barks, tiles, and the plan."""
