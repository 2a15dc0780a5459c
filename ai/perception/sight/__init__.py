"""Who sees which tile: one rule of sight, as kernels over packed bits.

The rule is the cell-centre rule of symmetric shadowcasting: two open tiles see each other when the segment between
their centres passes the walls between them, each wall standing as a segment one tile wide through its own centre,
square to the main direction of the line.  ``shadowcast`` finds all tiles an observer sees, ``line`` answers for a
pair, ``team`` keeps what a whole side sees and has seen, ``cone`` cuts a sector out of it, ``exposure`` counts the
eyes on each tile over ground with heights.
"""
