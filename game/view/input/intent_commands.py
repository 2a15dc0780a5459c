"""Commands of the squad menu: intents for the selected units as one squad."""

from __future__ import annotations

from game.view.input.player_command import Command, Situation, needs_units
from game.world.orders import OrderKind


def _needs_squad(situation: Situation) -> str:
    if situation.preparing:
        return situation.preparing
    few = "" if len(situation.selected) > 1 else "select at least two"
    return needs_units(situation) or few or ("" if situation.armed else "no selected unit is armed")


PREFIX = "squad_"
"""Start of a command's name; the rest is the name of the intent."""

_INTENTS = (
    ("take", "Take the place", "Alt+T", "attack", "by bounds, then fire and flank"),
    ("fight", "Fight", "Alt+F", "attack_move", "attack, hold or pull back as is best"),
    ("flank_left", "Flank left", "Alt+L", "form_vee", "one team fires, one goes round on the left"),
    ("flank_right", "Flank right", "Alt+R", "form_wedge", "one team fires, one goes round on the right"),
    ("suppress", "Suppress", "Alt+S", "alarm", "all fire from cover"),
    ("hold", "Hold ground", "Alt+G", "hold", "take cover round the place"),
    ("pull_back", "Pull back", "Alt+P", "form_rally", "by bounds to the place; the others cover"),
    ("clear", "Clear the house", "Alt+C", "door", "stack at the door, enter one by one"),
    ("cover_exits", "Cover the exits", "Alt+E", "eye", "a guard at each way out of the house"),
    ("charge", "Charge", "Alt+X", "faster", "all run at the enemy"),
)
"""Intent, label, key, icon and help of each command."""

SQUAD_COMMANDS: tuple[Command, ...] = tuple(
    Command(PREFIX + name, words, key, "squad", icon, f"{what}; click a place", "place", OrderKind.SQUAD, None,
            _needs_squad)
    for name, words, key, icon, what in _INTENTS
)  # fmt: skip
"""Commands in the order of the menu."""
MENU = Command("squad_menu", "Squad menu", "X", "squad", "", "orders for the selected units as one squad")
"""Command that opens and shuts the menu."""
