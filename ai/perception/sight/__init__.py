"""Sight: one rule for visible tiles, as kernels over packed bits.

It is the cell-centre rule of symmetric shadowcasting. Two open tiles see each other when the segment between their
centres passes the walls between them. Each wall stands as a segment one tile wide through its own centre, square to the
main direction of the line. ``shadowcast`` finds all tiles an observer sees, ``line_of_sight`` answers for a pair.
``team_sight`` keeps what a whole side sees and has seen, ``view_cone`` cuts a sector out of a view.
"""
