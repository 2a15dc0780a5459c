"""Memory of levels: opening one frees what the level before has left."""

import gc
import weakref

from game.sim.stage_clock import settle


class _World:
    """World stand-in that another one points to."""

    def __init__(self) -> None:
        self.other: _World | None = None


def test_settling_frees_what_the_level_before_has_left() -> None:
    a, b = _World(), _World()
    a.other, b.other = b, a
    left = weakref.ref(a)
    settle()  # the two are frozen while they are in use
    del a, b
    settle()
    assert left() is None and gc.get_freeze_count() > 0
    gc.unfreeze()
