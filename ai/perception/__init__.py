"""Perception: eyes, ears, awareness, and the memory of unseen units.

The package ``awareness`` looks (vision shapes, detection meter) and grades and delays reactions; ``settings`` has all
numbers. ``hearing`` listens. ``memory`` keeps the possible positions of an unseen unit. Minds get percepts from here
(event bits, the meter, where and when the target was last seen), never the world.
"""
