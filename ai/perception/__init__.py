"""What eyes and ears report, and what follows about units that are out of sight.

``vision`` looks (``shapes``: where eyes reach; ``meter``: how sure they become; ``settings``: all numbers),
``hearing`` listens, ``reaction`` grades and delays what a mind does about it; ``possibility`` and ``occupancy`` keep
where an unseen unit may be.  Minds get percepts from here (event bits, the meter, where and when the target was last
seen), never the world.
"""
