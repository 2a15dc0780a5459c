"""Who has its turn in which tick: the one clock of every system that cannot do all its work in every tick.

All of it counts ticks and units of work, never seconds, so that two runs take the same turns.  Members are ids.
And :mod:`ai.core.thread_pool`: the threads that share the rows of a kernel call.
"""
