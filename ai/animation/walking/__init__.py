"""Walking: feet, walk control, and motion of bodies by clips.

Arrays in, arrays out.
"""
