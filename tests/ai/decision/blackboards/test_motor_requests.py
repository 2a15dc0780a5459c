"""Motor requests and knowledge sources: the examples of the source are the oracle."""

import itertools
from dataclasses import dataclass, field

from ai.decision.blackboards.knowledge_sources import KnowledgeSource, ranked, run_sources
from ai.decision.blackboards.motor_requests import MotorRequest, RequestStage, pass_down


@dataclass
class _Body:
    x: float = 0.0
    stunned: bool = False
    played: list[str] = field(default_factory=list)


class _Navigation:
    name = "navigation"

    def intercept(self, request: MotorRequest, at: _Body) -> MotorRequest | None:
        far = abs(request.x - at.x) > 1.0
        return MotorRequest("", "walk", request.x, request.y) if request.act == "pick up" and far else None


class _Stun:
    name = "stun"

    def intercept(self, request: MotorRequest, at: _Body) -> MotorRequest | None:
        return MotorRequest("", "idle", at.x, 0.0) if at.stunned else None


def _live(stages: list[RequestStage[_Body]], body: _Body, ticks: int) -> list[str]:
    """Post "pick up" again and again until the body has done it."""
    for _ in range(ticks):
        written = pass_down(MotorRequest("mind", "pick up", 5.0, 0.0), stages, body)
        assert [one.stage for one in written][:1] == ["mind"]
        body.played.append(written[-1].act)
        body.x += written[-1].act == "walk"
        if written[-1].act == "pick up":
            break
    return body.played


def test_a_unit_walks_until_it_is_in_reach_and_then_picks_up_once() -> None:
    assert _live([_Navigation()], _Body(), 20) == ["walk"] * 4 + ["pick up"]
    assert _live([], _Body(), 20) == ["pick up"], "without the navigation nothing replaces the request"
    assert _live([_Navigation(), _Stun()], _Body(stunned=True), 6) == ["idle"] * 6
    written = pass_down(MotorRequest("mind", "pick up", 5.0, 0.0), [_Navigation(), _Stun()], _Body(stunned=True))
    assert [(one.stage, one.act) for one in written] == [("mind", "pick up"), ("navigation", "walk"), ("stun", "idle")]


@dataclass(frozen=True)
class _Change:
    """Source that replaces the word on a board by another one."""

    name: str
    value: float
    word: str

    def relevance(self, at: list[str]) -> float:
        return self.value if at[-1] == "start" else 0.0

    def execute(self, at: list[str]) -> None:
        at.append(self.word)


def test_one_of_two_contradictory_sources_acts_whatever_their_order() -> None:
    sources = [
        _Change("a", 1.0, "left"),
        _Change("b", 2.0, "right"),
        _Change("c", 2.0, "back"),
        _Change("d", 0.0, "no"),
    ]
    for order in itertools.permutations(sources):
        board = ["start"]
        assert ranked(order, board) == [("b", 2.0), ("c", 2.0), ("a", 1.0)]
        assert run_sources(order, board) == ["b"] and board == ["start", "right"]
        assert run_sources(order, board) == [], "no precondition holds any more"
    board = ["start"]
    assert run_sources(sources, board, arbiter=False) == ["b", "c", "a"]
    assert board == ["start", "right", "back", "left"], "three contradictory edits in one pass"
    loud: list[KnowledgeSource[list[str]]] = [*sources, _Change("override", 9.0, "stop")]
    board = ["start"]
    assert run_sources(loud, board) == ["override"], "a new source needs no change of the others"
