"""Analysis server: plug-ins, combinations, categories and slices."""

import numpy as np
import pytest

from ai.influence.analysis_server import FAST, SLOW, STATIC, Analysis, AnalysisServer, coarse, fine

SHAPE = (12, 16)
ALL = np.argwhere(np.ones(SHAPE, bool)).astype(np.int32)


def _sum(tiles: np.ndarray) -> np.ndarray:
    return (tiles[:, 0] + tiles[:, 1]).astype(float)


def _server(budget: int = 50) -> AnalysisServer:
    server = AnalysisServer(SHAPE, budget)
    server.add(Analysis("sum", STATIC, _sum))
    server.add(Analysis("row", SLOW, lambda tiles: tiles[:, 0].astype(float)))
    server.add(Analysis("fire", FAST, lambda tiles: tiles[:, 1].astype(float)))
    server.combine("both", {"sum": 2.0, "row": -1.0})
    server.combine("all", {"both": 1.0, "fire": 0.5})
    return server


def test_a_toy_analysis_combines_and_is_drawn_without_other_edits() -> None:
    server = _server()
    while server.step():
        pass
    assert np.array_equal(server.layer("sum"), np.add.outer(np.arange(12.0), np.arange(16.0)))
    assert np.array_equal(server.value("both", ALL), 2 * _sum(ALL) - ALL[:, 0])
    assert np.array_equal(server.layer("both").reshape(-1), server.value("both", ALL))
    assert np.array_equal(server.value("all", ALL), 2 * _sum(ALL) - ALL[:, 0] + 0.5 * ALL[:, 1])


def test_a_combination_has_the_highest_category_of_its_parts() -> None:
    server = _server()
    assert [server.category(name) for name in server.names] == [STATIC, SLOW, FAST, SLOW, FAST]


def test_slow_analyses_keep_their_budget_and_fast_ones_evaluate_what_is_asked() -> None:
    server, steps = _server(budget=50), []
    while done := server.step():
        steps.append(done)
    assert steps == [50, 50, 50, 42]
    server.value("all", ALL[:7])
    assert server.analyses["fire"].evaluated == 7
    with pytest.raises(ValueError, match="changes too fast for a map"):
        server.layer("all")


def test_an_edit_recomputes_only_cells_in_reach_and_equals_a_full_rebuild() -> None:
    ground = np.zeros(SHAPE)

    def around(tiles: np.ndarray) -> np.ndarray:
        """Return the sum of the ground within two tiles."""
        return np.array([ground[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].sum() for y, x in tiles], float)

    server = AnalysisServer(SHAPE, 1000)
    server.add(Analysis("around", STATIC, around, reach=2))
    ground[5, 6] = 1.0
    server.edited(5, 6, 6, 7)
    before = server.analyses["around"].evaluated
    server.step()
    assert server.analyses["around"].evaluated - before == 25
    assert np.array_equal(server.layer("around").reshape(-1), around(ALL))


def test_resolutions_a_constant_stays_and_a_block_is_its_mean() -> None:
    assert (coarse(np.full(SHAPE, 3.0), 5) == 3.0).all()
    linear = np.add.outer(np.arange(12.0), 2 * np.arange(16.0))
    assert np.allclose(coarse(linear, 4), linear.reshape(3, 4, 4, 4).mean(axis=(1, 3)))
    assert fine(coarse(linear, 4), 4, SHAPE).shape == SHAPE
    server = AnalysisServer(SHAPE)
    server.add(Analysis("sum", STATIC, _sum, block=4))
    assert server.layer("sum")[5, 9] == _sum(np.array([[6, 10]]))[0] and server.analyses["sum"].evaluated == 12


def test_wrong_names_are_told() -> None:
    server = _server()
    with pytest.raises(ValueError, match="there is already an analysis 'sum'"):
        server.add(Analysis("sum", STATIC, _sum))
    with pytest.raises(ValueError, match="combination 'x': there is no analysis 'smell'; one of sum"):
        server.combine("x", {"smell": 1.0})
    with pytest.raises(ValueError, match="category is 1"):
        server.add(Analysis("odd", 7, _sum))
