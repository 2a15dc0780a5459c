"""Scheduling: which members run in which tick.

It serves every system that cannot do all its work in every tick. All of it counts ticks and units of work, never
seconds, so that two runs take the same turns. Members are ids. :mod:`ai.core.thread_pool` has the threads that share
the rows of a kernel call.
"""
