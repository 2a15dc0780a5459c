"""The sight bench judges its rows by its goals, with made-up rows."""

from tools.bench.sight import goals_met, summary

KEPT = [
    {"algorithm": "shadowcast", "threads": 1, "us_mean": 1.3, "share_of_tcod": 0.16},
    {"algorithm": "line_clear", "threads": 1, "us_mean": 0.1, "million_per_second": 10.0},
    {"algorithm": "exposure_map", "threads": 1, "us_mean": 999.0},
    {"algorithm": "perceive_stage", "threads": 1, "us_mean": 3000.0, "p99_ms": 3.99},
]
MISSED = [
    {"algorithm": "shadowcast", "threads": 2, "us_mean": 1.4, "share_of_tcod": 0.17},
    {"algorithm": "line_clear", "threads": 2, "us_mean": 0.11, "million_per_second": 9.9},
    {"algorithm": "exposure_map", "threads": 1, "us_mean": 1000.0},
    {"algorithm": "perceive_stage", "threads": 1, "us_mean": 3000.0, "p99_ms": 4.0},
]


def test_every_goal_is_judged_and_what_is_no_goal_is_not(capsys):
    other = [{"algorithm": "tcod", "threads": 1, "us_mean": 9.0}, {"algorithm": "pack", "threads": 1, "us_mean": 1.0}]
    assert [met for met, _ in goals_met([*KEPT, *other])] == [True] * 4
    assert [met for met, _ in goals_met([*other, *MISSED])] == [False] * 4
    summary([*KEPT, *MISSED])
    lines = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in lines] == ["ok  "] * 4 + ["MISS"] * 4
