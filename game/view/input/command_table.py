"""Table of commands: names, labels, keys, icons, conditions and orders.

The same rows handle the keys, fill the command card and print the F1 cards, so the three always agree. A new ability
needs one new row.
"""

from __future__ import annotations

from game.view.input.formation_commands import FORMATION_COMMANDS
from game.view.input.intent_commands import MENU, PREFIX, SQUAD_COMMANDS
from game.view.input.player_command import Command, OrderMaker, Reason, Situation, needs_units
from game.world.orders import Order, OrderKind
from game.world.units import Fire, Pace, Stance


def _needs_arms(situation: Situation) -> str:
    return needs_units(situation) or ("" if situation.armed else "no selected unit is armed")


def _needs_load(situation: Situation) -> str:
    return needs_units(situation) or ("" if situation.carrying else "no selected unit carries anything")


def _needs_usable(situation: Situation) -> str:
    return needs_units(situation) or ("" if situation.usable_near else "this map has nothing to use")


def _needs_tool(tool: str) -> Reason:
    lacking = {"take_down": "no selected unit can do that", "drag": "no selected unit can do that"}
    return lambda s: needs_units(s) or ("" if tool in s.tools else lacking.get(tool, f"no selected unit has a {tool}"))


def _needs_hook(situation: Situation) -> str:
    lamps = "" if situation.lamps else "there is no lamp to switch here"
    return needs_units(situation) or ("" if "hook" in situation.tools else "no selected unit has a lamp hook") or lamps


def _needs_body(situation: Situation) -> str:
    return needs_units(situation) or ("" if situation.dragging else "no selected unit drags a body")


def _needs_play(situation: Situation) -> str:
    return "the mission is over" if situation.over else ""


def _needs_sandbox(situation: Situation) -> str:
    return "" if situation.sandbox else "only in a sandbox, on a map without a mission"


def _plain(kind: OrderKind) -> OrderMaker:
    return lambda s: Order(int(kind), s.side, s.selected)


def _stance(wanted: Stance) -> OrderMaker:
    def make(s: Situation) -> Order:
        value = Stance.STAND if s.stances == {int(wanted)} else wanted
        return Order(int(OrderKind.STANCE), s.side, s.selected, value=float(value))

    return make


def _pace(s: Situation) -> Order:
    value = Pace.WALK if s.paces == {int(Pace.RUN)} else Pace.RUN
    return Order(int(OrderKind.PACE), s.side, s.selected, value=float(value))


def _fire(wanted: Fire) -> OrderMaker:
    def make(s: Situation) -> Order:
        value = Fire.RETURN if s.fires == {int(wanted)} else wanted
        return Order(int(OrderKind.FIRE), s.side, s.selected, value=float(value))

    return make


K = OrderKind
COMMANDS: tuple[Command, ...] = (
    # Orders: the command card, in this order.
    Command("move", "Move", "M", "order", "move", "go to a place", "place", K.MOVE, None, needs_units, True),
    Command(
        "attack_move", "Attack-move", "A", "order", "attack", "fight enemies on the way", "place or enemy",
        K.ATTACK_MOVE, None, _needs_arms, True,
    ),
    Command("patrol", "Patrol", "P", "order", "patrol", "back and forth", "place", K.PATROL, None, needs_units),
    Command("stop", "Stop", "S", "order", "stop", "drop all orders", "", K.STOP, _plain(K.STOP), needs_units, True),
    Command("hold", "Hold", "H", "order", "hold", "stay and shoot", "", K.HOLD, _plain(K.HOLD), needs_units, True),
    Command(
        "crouch", "Crouch", "C", "order", "crouch", "lower, slower, harder to see", "", K.STANCE,
        _stance(Stance.CROUCH), needs_units, True,
    ),
    Command(
        "prone", "Lie down", "Z", "order", "prone", "slowest, hardest to see", "", K.STANCE, _stance(Stance.PRONE),
        needs_units,
    ),
    Command("pace", "Run or walk", "W", "order", "faster", "running is heard", "", K.PACE, _pace, needs_units),
    Command("use", "Use", "E", "order", "use", "door, winch, chest", "thing", K.USE, None, _needs_usable, True),
    Command("drop", "Drop", "D", "order", "chest", "put the load down", "", K.DROP, _plain(K.DROP), _needs_load),
    Command(
        "hold_fire", "Hold fire", "Alt+H", "order", "cross", "not even when shot at; again: return fire", "", K.FIRE,
        _fire(Fire.HOLD), _needs_arms,
    ),
    Command(
        "fire_at_will", "Fire at will", "Alt+A", "order", "attack_move", "at any enemy; again: return fire", "",
        K.FIRE, _fire(Fire.AT_WILL), _needs_arms,
    ),
    # Tools: abilities of some types of unit.
    Command("throw", "Throw a stone", "F", "tool", "stone", "a noise draws guards", "place", K.THROW, None,
            _needs_tool("stone")),
    Command("whistle", "Whistle", "V", "tool", "whistle", "draws guards here", "", K.WHISTLE, _plain(K.WHISTLE),
            _needs_tool("whistle")),
    Command("take_down", "Take down", "Shift+F", "tool", "take_out", "from behind, quietly", "enemy", K.TAKE_DOWN,
            None, _needs_tool("take_down")),
    Command("drag", "Drag a body", "G", "tool", "drag", "Drop lets go of it", "body", K.DRAG, None,
            _needs_tool("drag")),
    Command("hide", "Hide the body", "Shift+G", "tool", "hide", "bush, haystack, cart, crate", "hider", K.HIDE, None,
            _needs_body),
    Command("lamp", "Put a lamp out", "Shift+E", "tool", "lamp", "or light it, with the hook", "lamp", K.USE, None,
            _needs_hook),
    Command("sneak", "Sneak", "Shift+M", "tool", "sneak", "avoids guards you know of", "place", K.SNEAK, None,
            needs_units),
    *FORMATION_COMMANDS,
    MENU,
    *SQUAD_COMMANDS,
    # Sandbox: placing units; PLACES holds the side and type.
    Command("place_raider", "Place a raider", "B", "sandbox", target="place", kind=K.SPAWN, reason=_needs_sandbox),
    Command("place_guard", "Place a guard", "Shift+B", "sandbox", target="place", kind=K.SPAWN, reason=_needs_sandbox),
    Command("place_yellow", "Place a yellow", "Ctrl+B", "sandbox", target="place", kind=K.SPAWN, reason=_needs_sandbox),
    Command("place_white", "Place a white", "Alt+B", "sandbox", target="place", kind=K.SPAWN, reason=_needs_sandbox),
    Command("tools", "Sandbox tools", "Shift+Tab", "sandbox", "", "brushes and verbs of Lab"),
    Command("undo_stroke", "Undo a stroke", "Ctrl+Z", "sandbox", "", "of the sandbox tools"),
    Command("redo_stroke", "Redo it", "Ctrl+Shift+Z", "sandbox"),
    # Selection
    *(
        Command(f"group_{n}", f"Group {n}", str(n), "choose", "", "twice: look there", first=n == 1)
        for n in range(1, 10)
    ),
    *(Command(f"set_group_{n}", f"Make group {n}", f"Ctrl+{n}", "choose") for n in range(1, 10)),
    *(Command(f"add_group_{n}", f"Add to group {n}", f"Shift+{n}", "choose") for n in range(1, 10)),
    Command("select_all", "Select all", "Ctrl+A", "choose", "", "all your units"),
    Command("next_unit", "Next unit", "N", "choose", "", "select it and look there"),
    Command("previous_unit", "Previous unit", "Shift+N", "choose"),
    Command("next_group", "Next group", "Q", "choose", "", "select and look there"),
    # Commands that replace the mouse
    Command("pointer", "Pointer by keys", "K", "pointer", "", "the pan keys move it"),
    Command("click", "Left button", "Enter", "pointer", "", "select, place, press"),
    Command("click_add", "Add to selection", "Shift+Enter", "pointer"),
    Command("order_here", "Right button", "O", "pointer", "", "move, attack or use"),
    Command("queue_here", "Queue it", "Shift+O", "pointer"),
    Command("look_at_selection", "Look at selection", "Home", "camera", "", "centre on it"),
    Command("follow", "Follow selection", "Ctrl+Home", "camera", "", "until the map is moved"),
    # Time
    Command("pause", "Pause", "Space", "time", "pause", "orders can still be given", first=True),
    Command("one_tick", "One tick", "Period", "time", "", "a twentieth of a second, paused"),
    Command("faster", "Faster", "RightBracket", "time", "", "up to 8x"),
    Command("slower", "Slower", "LeftBracket", "time", "", "down to 1/2x"),
    Command("plan", "Plan mode", "Backquote", "time", "plan", "one action each, run together", reason=_needs_play),
    Command("run_plan", "Run the plan", "Ctrl+Enter", "time", "", "or Enter", reason=_needs_play),
    # Timeline
    *(
        Command(f"time_{name}", words, key, "timeline")
        for name, words, key in (
            ("tick_back", "One tick back", "Ctrl+Comma"),
            ("stage_back", "One stage back", "Shift+Comma"),
            ("stage_on", "One stage on", "Shift+Period"),
            ("back", "A second back", "Alt+Comma"),
            ("on", "A second on", "Alt+Period"),
            ("start", "To the start", "Alt+Home"),
            ("present", "To the present", "Alt+End"),
            ("former_mark", "Mark before", "Alt+Left"),
            ("next_mark", "Next mark", "Alt+Right"),
            ("former_decision", "Decision before", "Ctrl+Up"),
            ("next_decision", "Next decision", "Ctrl+Down"),
            ("former_stop", "Stop before", "Alt+Up"),
            ("next_stop", "Next stop", "Alt+Down"),
            ("bookmark", "Bookmark", "Ctrl+M"),
            ("branch", "Go on from here", "Ctrl+G"),
            ("next_branch", "Next branch", "Ctrl+H"),
        )
    ),
    # Camera
    Command("pan_left", "Pan left", "Left", "camera", "", "or the window's edge", first=False),
    Command("pan_right", "Pan right", "Right", "camera"),
    Command("pan_up", "Pan up", "Up", "camera"),
    Command("pan_down", "Pan down", "Down", "camera"),
    Command("zoom_in", "Zoom in", "Equals", "camera", "", "or the wheel"),
    Command("zoom_out", "Zoom out", "Minus", "camera", "", "or the wheel"),
    *(Command(f"keep_view_{n}", f"Keep view {n}", f"Ctrl+F{n + 4}", "camera") for n in range(1, 5)),
    *(Command(f"look_view_{n}", f"Look at view {n}", f"Shift+F{n + 4}", "camera") for n in range(1, 5)),
    Command("last_alarm", "Last alarm", "End", "camera", "", "look where a guard last saw or raised it"),
    Command("cones", "Every cone", "T", "camera", "", "while it is held"),
    # Lab
    Command("lab", "Lab", "Tab", "lab", "", "overlays and inspector", first=True),
    Command("why", "Why?", "Slash", "lab", "", "the last decisions of the selected unit"),
    Command("lens_paths", "Lens: Paths", "F2", "lab"),
    Command("lens_motion", "Lens: Motion", "F3", "lab"),
    Command("lens_senses", "Lens: Senses", "F4", "lab"),
    Command("lens_ground", "Lens: Ground", "F5", "lab"),
    Command("lens_squads", "Lens: Squads", "F6", "lab"),
    Command("lens_body", "Lens: Body", "F7", "lab"),
    Command("find_overlay", "Find an overlay", "Ctrl+F", "lab", "", "Lab only"),
    Command("lift_fog", "Lift the fog", "L", "lab", "", "Lab only"),
    Command("next_avoidance", "Avoidance: next", "Shift+F3", "lab", "", "of the whole world"),
    Command("next_steering", "Steering: next", "Ctrl+F3", "lab", "", "of the whole world"),
    Command("explore", "Step through", "F10", "lab", "", "the selected unit's search"),
    Command("compare", "Side by side", "Ctrl+D", "lab", "", "what if: one change, both futures"),
    Command("budget", "AI budget", "F11", "lab", "", "times of stages and techniques"),
    Command("trace", "Write a trace", "Ctrl+F11", "lab", "", "the last minute of ticks, for chrome://tracing"),
    Command("reload_data", "Reload data", "Ctrl+R", "lab", "", "clips, clothes, scenes and acts from their files"),
    # Game
    Command("keys", "Keys", "F1", "game", "", "twelve; again: all of them", first=True),
    Command("find_anything", "Find anything", "Ctrl+P", "game", "", "commands, overlays, exhibits, levels, settings"),
    Command("screenshot", "Picture of the window", "F12", "game", "", "on any screen; the notice names the file"),
    Command("record", "Record the window", "Shift+F12", "game", "", "again: writes the last 15 s as a GIF"),
    Command("menu", "Menu", "Esc", "game", "", "save, load, options", first=True),
    Command("quick_save", "Quick save", "Ctrl+S", "game"),
    Command("quick_load", "Quick load", "Ctrl+L", "game", "", "the youngest save of this level"),
    Command("more_commands", "More commands", "Comma", "game", "options", "the next page of the card"),
    Command("restart", "Start again", "R", "game", "", "twice while playing", first=True),
    Command("keep_moment", "Keep the moment", "F8", "game", "", "five are held"),
    Command("return_moment", "Return to it", "F9", "game"),
)  # fmt: skip

GROUP_WORDS = {
    "order": "Orders",
    "tool": "Tools",
    "formation": "Formations",
    "squad": "Squads",
    "sandbox": "Sandbox",
    "choose": "Choosing",
    "pointer": "Without a mouse",
    "time": "Time",
    "timeline": "Timeline",
    "camera": "Camera",
    "lab": "Lab",
    "game": "Game",
}

BY_NAME = {command.name: command for command in COMMANDS}
CARD = tuple(command for command in COMMANDS if command.group == "order")
_PAGE_ONE = ("move", "attack_move", "hold", "stop", "crouch", "prone", "use")
_OF_TOOL = {
    "throw": "stone", "whistle": "whistle", "take_down": "take_down", "drag": "drag", "hide": "drag", "lamp": "hook",
}  # fmt: skip
"""Tool that a unit needs for a command."""
MORE = BY_NAME["more_commands"]
CELLS = 8
"""Cells of the command card; with several pages the last one turns the page."""


def card_pages(situation: Situation) -> tuple[tuple[Command, ...], ...]:
    """Return the pages of the command card for the selected units.

    The first holds what every unit does. Tools follow that a selected unit has, or any unit while none is selected.
    """
    has = situation.tools if situation.selected else frozenset(_OF_TOOL.values())
    tools = [name for name, tool in _OF_TOOL.items() if situation.toolbox and tool in has]
    stealth = ["sneak", "plan"] if situation.toolbox else []
    rest = [command.name for command in CARD if command.name not in _PAGE_ONE]
    names = [*_PAGE_ONE, *tools, *stealth, *rest]
    step = CELLS - 1
    return tuple((*(BY_NAME[n] for n in names[k : k + step]), MORE) for k in range(0, len(names), step))


def is_on(command: Command, situation: Situation) -> bool:
    """Return whether all selected units are already as a command makes them."""
    if not situation.selected:
        return False
    states = {
        "crouch": (situation.stances, Stance.CROUCH), "prone": (situation.stances, Stance.PRONE),
        "hold_fire": (situation.fires, Fire.HOLD), "fire_at_will": (situation.fires, Fire.AT_WILL),
    }  # fmt: skip
    present, wanted = states.get(command.name, (frozenset(), 0))
    return present == {int(wanted)}


def card_of(situation: Situation, page: int = 0) -> tuple[Command, ...]:
    """Return the commands on a page of the card, row by row.

    Pages go round.
    """
    pages = card_pages(situation)
    return pages[page % len(pages)]


BAR = tuple(command for command in COMMANDS if command.group == "formation" and command.icon)
PLACES = {
    "place_raider": (0, "raider"),
    "place_guard": (1, "guard"),
    "place_yellow": (2, "soldier"),
    "place_white": (3, "soldier"),
}
"""Side and unit type that each command of the sandbox places."""
DEFAULT_KEYS = {command.name: command.key for command in COMMANDS}
MOUSE_HELP = (
    ("Left button", "select; drag a box; shift adds"),
    ("Double click", "all of that kind on screen"),
    ("Right button", "move, attack or use; shift queues; drag: facing of a formation"),
    ("Wheel", "zoom about the cursor; two fingers can pan, see options"),
    ("Middle drag", "pan"),
    ("One button", "Ctrl, or a long press (options), is the right button"),
)

WASD_PRESET = {
    "pan_up": "W",
    "pan_left": "A",
    "pan_down": "S",
    "pan_right": "D",
    "attack_move": "F",
    "stop": "X",
    "squad_menu": "Ctrl+X",
    "pace": "V",
    "drop": "G",
    "throw": "Shift+X",
    "whistle": "Shift+V",
    "drag": "Shift+D",
}
"""Bindings that replace the defaults when WASD pans.

They also move the orders whose default keys would clash.
"""


def default_keys(wasd: bool = False) -> dict[str, str]:
    """Return the key text of each command, as shipped or with the WASD preset."""
    return {**DEFAULT_KEYS, **WASD_PRESET} if wasd else dict(DEFAULT_KEYS)


def target_order(command: Command, situation: Situation, x: float, y: float, target: int, queued: bool) -> Order:
    """Return the order that a targeted command makes from a click.

    The click lies at the world position (x, y) in tiles. ``target`` is the id of the thing under it, or -1.
    """
    kind = command.kind
    if kind == K.SPAWN:
        side, unit_type = PLACES[command.name]
        return Order(int(kind), situation.side, (), x, y, name=unit_type, value=float(side))
    if kind == K.SQUAD:
        intent = command.name.removeprefix(PREFIX)
        return Order(int(kind), situation.side, situation.selected, x, y, queued=queued, name=intent)
    if kind == K.ATTACK_MOVE and target >= 0:
        kind = K.ATTACK
    return Order(int(kind), situation.side, situation.selected, x, y, target, queued)
