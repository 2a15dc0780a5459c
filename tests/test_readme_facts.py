"""README facts: numbers told to players and authors agree with levels, settings and figures."""

import re
from collections import Counter
from pathlib import Path

from ai.paths import PathSettings
from ai.paths.engines.engine_choice import LARGEST
from ai.perception.hearing.hearing import HearingBehaviour
from game.checks.invariants import body_invariants, invariants
from game.level import reading, spawn_clearance
from game.level.finding import LEVELS
from game.level.reading import load_level
from game.level.tmx import picture_size, tile_data
from game.world.rules.world_settings import default_settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LEVELS_README = " ".join((LEVELS / "README.md").read_text(encoding="utf-8").split())
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "eleven", "twelve", "thirteen",
)  # fmt: skip


def number_before(text: str) -> int:
    """Return the number word that stands before ``text`` in the README."""
    found = re.search(rf"(\w+) {re.escape(text)}", README)
    assert found, f"README does not say '{text}'"
    return NUMBERS.index(found.group(1))


def test_the_depot_has_the_raiders_and_guards_that_the_readme_names() -> None:
    kinds = Counter(spawn.kind for spawn in load_level(LEVELS / "the_depot.tmx").spawns)
    assert number_before("guards and a dog") == kinds["guard"]
    assert kinds["dog"] == 1
    assert number_before("raiders with a tool each") == sum(kinds.values()) - kinds["guard"] - kinds["dog"]


def test_a_dog_hears_as_far_as_the_readme_says() -> None:
    people, dog = default_settings().hearing.keenness
    ratio = dog[HearingBehaviour.UNAWARE] / people[HearingBehaviour.UNAWARE]
    assert number_before("times as far as a guard while both") == ratio


def test_the_grace_of_guards_is_the_one_second_that_the_readme_names() -> None:
    assert "For one second after they lose sight" in README
    assert default_settings().minds.grace == 20


def test_the_readme_names_the_budget_and_the_largest_map_with_clusters() -> None:
    side = int(LARGEST**0.5)
    assert f"up to two million tiles ({side:,} by {side:,}) have clusters" in README and LARGEST == 2 << 20
    assert f"tile by tile, {PathSettings().budget:,} tiles a tick" in README


def test_the_limits_of_maps_are_those_of_the_reader() -> None:
    assert f"At most {tile_data.MOST_TILES // 10**6} million tiles" in LEVELS_README
    side, pixels = picture_size.LONGEST_SIDE, picture_size.MOST_PIXELS // 10**6
    assert f"more than {side:,} px a side, or of {pixels} megapixels" in LEVELS_README
    assert f"{NUMBERS[reading.EIGHT]} raiders stand on the largest" in LEVELS_README
    assert f"nearer than {spawn_clearance.RADIUS} tiles to a wall" in LEVELS_README
    assert f"by more than {invariants.GRAZE} tiles" in LEVELS_README
    assert f"more than {body_invariants.PUSHED} times its run speed in a second" in LEVELS_README


def test_the_changelog_promises_no_speed_that_no_file_of_figures_holds() -> None:
    """The page of figures tells times: those of an old commit go stale."""
    speeds = r"[\d.]+ (?:ms|us)\b|millisecond|times (?:faster|as fast)|(?:half|third|quarter) of? ?the time"
    assert re.findall(speeds, CHANGELOG) == []
