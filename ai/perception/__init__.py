"""What eyes and ears report: three-test vision and the detection meter it fills.

Minds get percepts from here (event bits, the meter, where and when the target was last seen), never the world.
"""
