"""Commands of the formation bar: shapes, plays, spacing, rally, split and merge."""

from __future__ import annotations

from collections.abc import Callable

from game.view.input.player_command import Command, OrderMaker, Situation, needs_units
from game.world.groups.drill import LOOSE, SHAPE_WORDS, Matching, Rally
from game.world.orders import Order, OrderKind

K = OrderKind


def _needs_several(situation: Situation) -> str:
    return (
        situation.preparing or needs_units(situation) or ("" if len(situation.selected) > 1 else "select at least two")
    )


def _needs_formation(situation: Situation) -> str:
    return _needs_several(situation) or ("" if situation.drill.shape != LOOSE else "choose a formation first")


def _drill(name: str, value: Callable[[Situation], float] | float = 0.0, text: str = "") -> OrderMaker:
    def make(s: Situation) -> Order:
        number = value(s) if callable(value) else value
        return Order(int(OrderKind.FORMATION), s.side, s.selected, name=name, text=text, value=float(number))

    return make


def _rally(s: Situation) -> Order:
    following = Rally((s.drill.rally + 1) % len(Rally))
    return Order(int(OrderKind.FORMATION), s.side, s.selected, name="rally", text=following.name.lower())


def _matching(s: Situation) -> Order:
    following = Matching((s.drill.matching + 1) % len(Matching))
    return Order(int(OrderKind.FORMATION), s.side, s.selected, name="matching", text=following.name.lower())


def _circle(s: Situation) -> Order:
    """Order a circle outward; of a circle, turn it round."""
    inward = s.drill.shape == SHAPE_WORDS["circle"]
    text = "circle_inward" if inward else "circle"
    return Order(int(OrderKind.FORMATION), s.side, s.selected, name="shape", text=text)


def next_play(s: Situation) -> tuple[str, str]:
    """Return name and label of the next play.

    It is the play after the present one, or the first one.
    """
    names = [name for name, _ in s.plays]
    now = names.index(s.drill.play) + 1 if s.drill.play in names else 0
    return s.plays[now % len(names)]


def _play(s: Situation) -> Order:
    return Order(int(OrderKind.FORMATION), s.side, s.selected, name="play", text=next_play(s)[0])


def _needs_plays(situation: Situation) -> str:
    return _needs_several(situation) or ("" if situation.plays else "no play is drawn in playbooks.toml")


def _next_shape(step: int) -> OrderMaker:
    def make(s: Situation) -> Order:
        ring = [SHAPE_WORDS[name] for name, _, _ in SHAPES]
        now = ring.index(s.drill.shape) if s.drill.shape in ring else 0
        words = next(w for w, code in SHAPE_WORDS.items() if code == ring[(now + step) % len(ring)])
        return Order(int(OrderKind.FORMATION), s.side, s.selected, name="shape", text=words)

    return make


MOST_RANKS = 4
"""Largest number of ranks that the bar offers; 0 means the shape's own number."""

SHAPES: tuple[tuple[str, str, str], ...] = (
    ("loose", "Loose", "each unit on its own"),
    ("line", "Line", "side by side"),
    ("column", "Column", "one after the other"),
    ("box", "Box", "in ranks and files"),
    ("wedge", "Wedge", "the middle ahead"),
    ("vee", "Vee", "the flanks ahead"),
    ("staggered_line", "Staggered line", "no unit fires close past another"),
    ("skirmish", "Skirmish", "wide apart, for a firefight"),
    ("circle", "Circle", "all round, facing outward; again: inward"),
    ("keep", "As they stand", "keep the present arrangement"),
)
"""Formations of the bar: word of the order, label of the command, help."""

_FORMATIONS = tuple(
    (f"form_{name}", words, f"Alt+{n}", f"form_{name.removesuffix('_line')}", what, name)
    for n, (name, words, what) in enumerate(SHAPES)
)
FORMATION_COMMANDS: tuple[Command, ...] = (
    *(
        Command(
            name, words, key, "formation", icon, what, "", K.FORMATION,
            _circle if shape == "circle" else _drill("shape", text=shape), _needs_several,
        )
        for name, words, key, icon, what, shape in _FORMATIONS
    ),
    Command(
        "form_play", "Play", "Ctrl+J", "formation", "form_play", "reserved slots; again: the next play", "",
        K.FORMATION, _play, _needs_plays,
    ),
    Command(
        "form_closer", "Closer", "U", "formation", "form_closer", "smaller spacing", "", K.FORMATION,
        _drill("spacing", lambda s: s.drill.spacing / 1.25), _needs_formation,
    ),
    Command(
        "form_wider", "Wider", "I", "formation", "form_wider", "larger spacing", "", K.FORMATION,
        _drill("spacing", lambda s: s.drill.spacing * 1.25), _needs_formation,
    ),
    Command(
        "form_rally", "Rally", "Shift+U", "formation", "form_rally", "ahead, in the middle, or at the end", "",
        K.FORMATION, _rally, _needs_formation,
    ),
    Command(
        "form_slowest", "At the slowest", "Shift+I", "formation", "form_slowest", "no unit runs ahead", "", K.FORMATION,
        _drill("slowest", lambda s: float(not s.drill.slowest)), _needs_formation,
    ),
    Command(
        "form_together", "Fight in formation", "Y", "formation", "form_together",
        "halt and fire together: attack-move, or when hit", "", K.FORMATION,
        _drill("together", lambda s: float(not s.drill.together)), _needs_formation,
    ),
    Command(
        "form_split", "Split", "Shift+J", "formation", "form_split", "divide one group into two", "", K.FORMATION,
        _drill("split"), _needs_formation,
    ),
    Command(
        "form_merge", "Merge", "Shift+Y", "formation", "form_merge", "unite the selected groups", "", K.FORMATION,
        _drill("merge"), _needs_formation,
    ),
    Command(
        "form_company", "Company", "Ctrl+Y", "formation", "form_company", "groups march one behind the other", "",
        K.FORMATION, _drill("company"), _needs_formation,
    ),
    Command(
        "form_ranks", "Ranks", "Ctrl+I", "formation", "form_ranks", "number of rows", "", K.FORMATION,
        _drill("ranks", lambda s: float((s.drill.ranks + 1) % (MOST_RANKS + 1))), _needs_formation,
    ),
    Command(
        "form_matching", "Slot assignment", "Ctrl+U", "formation", "form_matching",
        "least total distance, ranks and files, nearest first, by type (tough in front)", "", K.FORMATION, _matching,
        _needs_formation,
    ),
    Command(
        "form_next", "Next formation", "J", "formation", "", "one after the other", "", K.FORMATION, _next_shape(1),
        _needs_several,
    ),
)  # fmt: skip
"""Commands in the order of the bar."""
