"""Jump tables of JPS+, repaired in slices while the map is edited.

An edit changes straight jumps along its own rows and columns. It changes diagonal jumps row by row from there on, until
nothing changes any more. During a repair the tables must not be read: see :attr:`JumpTables.ready`. Jump point search
on packed rows needs no tables.

Source: "Game AI Pro 2", ch. 14 (JPS+), 1.5 (dynamic maps).
"""

from __future__ import annotations

import numpy as np

from ai.core.serialization import record, unhashed
from ai.search.jps import jump_table_kernels as kernels
from ai.search.jps.jps import UniformGround


def _nothing() -> np.ndarray:
    return np.zeros((0, 8), np.int16)


@record
class JumpTables:
    """Jump and wall distances ``jumps`` int16[cells, 8] of the bordered map.

    Cell = (y + 1) * (width + 2) + x + 1. ``revision`` is the ground's revision that the current repair is for.
    ``progress`` int64[...] is the state of the repair.
    """

    revision: int = -1
    jumps: np.ndarray = unhashed(_nothing)
    progress: np.ndarray = unhashed(lambda: np.zeros(kernels.PROGRESS_LENGTH, np.int64))

    @classmethod
    def build(cls, ground: UniformGround) -> JumpTables:
        """Return the tables of a ground, built in one call."""
        made = cls.begin(ground)
        while made.advance(ground, 1 << 40):
            pass
        return made

    @classmethod
    def begin(cls, ground: UniformGround) -> JumpTables:
        """Return empty tables that :meth:`advance` builds."""
        made = cls(ground.revision)
        made.jumps = np.zeros((ground.moves.size, 8), np.int16)
        height, width = ground.moves.shape
        kernels.note_edit(made.progress, 0, 0, height, width, height, width)
        return made

    @property
    def ready(self) -> bool:
        """Return True if the tables are ready for a caller with this ground."""
        return bool(self.progress[kernels.PHASE] == kernels.DONE)

    def edited(self, ground: UniformGround, rectangles: list[tuple[int, int, int, int]]) -> None:
        """Record edits (y0, x0, y1, x1) in tiles that the ground already follows.

        A running repair continues with them.
        """
        if self.jumps.shape != (ground.moves.size, 8):
            raise ValueError(f"tables of {self.jumps.shape} do not fit a ground of {ground.moves.shape}")
        height, width = ground.moves.shape
        for y0, x0, y1, x1 in rectangles:
            # Legal moves and stops change one tile further out, and the border is one tile.
            kernels.note_edit(self.progress, y0, x0, y1 + 2, x1 + 2, height, width)
        self.revision = ground.revision

    def advance(self, ground: UniformGround, revolutions: int) -> int:
        """Continue the repair for about ``revolutions`` (64 tiles each).

        Returns the number used, 0 when done. ValueError when the ground was edited since: call :meth:`edited` first.
        """
        if self.revision != ground.revision:
            raise ValueError(f"tables are for revision {self.revision}, the ground is at {ground.revision}")
        if self.ready:
            return 0
        return int(
            kernels.advance_tables(
                ground.ground,
                ground.moves,
                ground.east,
                ground.west,
                ground.south,
                ground.north,
                self.jumps,
                self.progress,
                revolutions,
            )
        )
