"""README facts: numbers told to players agree with levels and settings."""

import re
from collections import Counter
from pathlib import Path

from ai.perception.hearing.hearing import HearingBehaviour
from game.level.finding import LEVELS
from game.level.reading import load_level
from game.world.rules.world_settings import default_settings

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
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
