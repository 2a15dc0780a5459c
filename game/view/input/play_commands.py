"""Commands of the play screen: a table from names to functions."""

from __future__ import annotations

from collections.abc import Callable

from game.sim.saves import load_game
from game.view.hud.hud_values import TICKS_A_SECOND, clock_words
from game.view.input.command_table import BY_NAME, COMMANDS
from game.view.input.explore_search import open_explorer
from game.view.input.input_context import CommandContext
from game.view.input.map_keyboard import LEFT, RIGHT
from game.view.window.autosaver import write_save
from game.view.window.data_reload import reload_data
from game.view.window.playing import Playing
from game.view.window.saved_games import newest_save
from game.world.orders import Order, OrderKind

AVOIDANCES = ("none", "separation", "foresight", "social force", "reciprocal")
METHODS = ("plain", "blended vectors", "context maps", "swarm")
"""Labels of the values of steering.avoidance and steering.method."""


class PlayCommands:
    """Runs a command of the table, or tells why it cannot run."""

    def __init__(self, play: CommandContext) -> None:
        self.play = play
        self._views: dict[int, tuple[float, float, int]] = {}
        """Kept views: middle in tiles and zoom, by number."""
        self._table = self._command_table()

    def give(self, name: str) -> None:
        """Run a command of the table, or tell why it cannot run."""
        command = BY_NAME[name]
        self.play.fill_state()
        reason = command.reason(self.play.state.situation)
        if reason:
            self.play.tell(f"{command.words}: {reason}")
            return
        if command.target:
            if command.group == "squad":
                self.play.state.drawer = ""  # the menu would cover the place to click
            self.play.mouse.armed = "" if self.play.mouse.armed == name else name
        elif command.order is not None:
            self.play.give_order(command.order(self.play.state.situation))
            self.play.view.marks.answered(
                command.words, self.play.selection.ids, self.play.playing.picture, self.play.app.now_ms
            )
            self.play.app.sound.play("order", at_most_every_ms=60)
        else:
            self._table[name]()

    def _command_table(self) -> dict[str, Callable[[], None]]:
        """Return the function of each command that makes no order."""
        table: dict[str, Callable[[], None]] = {
            "select_all": self.play.choosing.select_all,
            "next_unit": self.play.choosing.next_unit,
            "previous_unit": lambda: self.play.choosing.next_unit(-1),
            "next_group": self.play.choosing.next_group,
            "pointer": self.play.keyboard.toggle,
            "click": lambda: self.play.keyboard.click(LEFT),
            "click_add": lambda: self.play.keyboard.click(LEFT),
            "order_here": lambda: self.play.keyboard.click(RIGHT),
            "queue_here": lambda: self.play.keyboard.click(RIGHT),
            "look_at_selection": self.play.choosing.look_at_selection,
            "follow": self.play.choosing.follow,
            "pause": self.toggle_pause,
            "one_tick": self.one_tick,
            "plan": self.plan,
            "run_plan": self.run_plan,
            "cones": lambda: None,  # held key: read in PlayScreen.update
            "faster": lambda: self.change_speed(1),
            "slower": lambda: self.change_speed(-1),
            "zoom_in": lambda: self.zoom(1),
            "zoom_out": lambda: self.zoom(-1),
            "lab": lambda: self.play.set_lab(not self.play.view.lab),
            "why": self.play.why.toggle,
            "budget": self.play.budget.toggle,
            "trace": self.play.budget.write_trace,
            "tools": self.play.tools.toggle,
            "undo_stroke": lambda: self.play.tools.step("undo"),
            "redo_stroke": lambda: self.play.tools.step("redo"),
            "lift_fog": self.lift_fog,
            "find_overlay": self.find_overlay,
            "next_avoidance": lambda: self.next_of("Avoidance", "steering.avoidance", AVOIDANCES),
            "next_steering": lambda: self.next_of("Steering", "steering.method", METHODS),
            "explore": self.explore,
            "keys": self.show_keys,
            "find_anything": self.play.app.find_anything,
            "screenshot": self.play.app.recorder.shoot,
            "record": self.play.app.recorder.toggle,
            "menu": self.play.open_menu,
            "restart": self.play.restart,
            "more_commands": self.next_page,
            "squad_menu": self.squad_menu,
            "last_alarm": self.look_at_alarm,
            "quick_save": self.quick_save,
            "quick_load": self.quick_load,
            "keep_moment": self.play.keep_moment,
            "return_moment": self.play.return_moment,
            "compare": self.play.compare,
            "reload_data": lambda: self.play.tell(reload_data(self.play)),
        }
        timeline = self.play.timeline
        table |= {
            "time_tick_back": lambda: timeline.travel.step(-1),
            "time_stage_back": lambda: timeline.travel.step_stage(-1),
            "time_stage_on": lambda: timeline.travel.step_stage(1),
            "time_back": lambda: timeline.travel.step(-TICKS_A_SECOND),
            "time_on": lambda: timeline.travel.step(TICKS_A_SECOND),
            "time_start": lambda: timeline.travel.seek(0),
            "time_present": timeline.travel.leave,
            "time_former_mark": lambda: timeline.travel.to_mark(-1),
            "time_next_mark": lambda: timeline.travel.to_mark(1),
            "time_former_decision": lambda: timeline.to_decision(-1),
            "time_next_decision": lambda: timeline.to_decision(1),
            "time_former_stop": lambda: timeline.stops.go(-1),
            "time_next_stop": lambda: timeline.stops.go(1),
            "time_bookmark": timeline.travel.bookmark,
            "time_branch": timeline.go_on,
            "time_next_branch": timeline.travel.next_branch,
        }
        for n in range(1, 10):
            table[f"group_{n}"] = lambda n=n: self.play.choosing.recall(n)  # type: ignore[misc]
            table[f"set_group_{n}"] = lambda n=n: self.play.choosing.set_group(n)  # type: ignore[misc]
            table[f"add_group_{n}"] = lambda n=n: self.play.selection.add_to_group(n)  # type: ignore[misc]
        for n in range(1, 5):
            table[f"keep_view_{n}"] = lambda n=n: self.keep_view(n)  # type: ignore[misc]
            table[f"look_view_{n}"] = lambda n=n: self.look_view(n)  # type: ignore[misc]
        for command in COMMANDS:
            if command.name.startswith("pan_"):
                table[command.name] = lambda: None  # held key: read in Keyboard.update
            elif command.name.startswith("lens_"):
                table[command.name] = lambda lens=command.name[5:]: self.lens(lens)  # type: ignore[misc]
        return table

    def plan(self) -> None:
        """Enter plan mode, which stops time, or leave it."""
        if self.play.view.lab:
            self.play.set_lab(False)
        self.play.plan_mode.toggle()

    def run_plan(self) -> None:
        """Start all planned actions at one tick."""
        if not self.play.plan_mode.run():
            self.play.tell(f"No plan yet: {self.play.app.keymap.label('plan')} stops time to make one")

    def toggle_pause(self) -> None:
        """Pause or resume; in plan mode time stays stopped."""
        if self.play.plan_mode.plan.on:
            self.play.tell("Time stands still while you plan")
            return
        self.play.playing.clock.paused = not self.play.playing.clock.paused

    def one_tick(self) -> None:
        """Pause, then run one tick."""
        if self.play.plan_mode.plan.on:
            self.play.tell("Time stands still while you plan")
            return
        self.play.playing.clock.paused = True
        self.play.playing.clock.steps += 1

    def change_speed(self, by: int) -> None:
        """Change the speed of the clock by steps."""
        self.play.playing.clock.faster(by)
        self.play.tell(f"Speed {self.play.playing.clock.speed:g}x")

    def zoom(self, by: int) -> None:
        """Zoom about the middle of the window."""
        self.play.camera.zoom_by(by, self.play.camera.width / 2, self.play.camera.height / 2)

    def lens(self, name: str) -> None:
        """Show a prepared set of overlays; open Lab if it is closed.

        When Lab opens, the overlays that it showed before are replaced.
        """
        if not self.play.view.lab:
            self.play.lab.overlays.on.clear()
            self.play.lab.lens(name)
            self.play.set_lab(True)
        else:
            self.play.lab.lens(name)

    def next_of(self, title: str, setting: str, words: tuple[str, ...]) -> None:
        """Change a setting of the world to its next value; only in Lab.

        The change is an order, so replays contain it.
        """
        if not self.play.view.lab:
            self.play.tell(f"{title} is changed in Lab")
            return
        steering = self.play.playing.world.settings.steering
        chosen = (int(getattr(steering, setting.rpartition(".")[2])) + 1) % len(words)
        self.play.playing.give(Order(int(OrderKind.SETTING), name=setting, value=float(chosen)))
        self.play.tell(f"{title}: {words[chosen]}")

    def keep_view(self, number: int) -> None:
        """Keep the middle and zoom of the camera."""
        camera = self.play.camera
        self._views[number] = (camera.x, camera.y, camera.zoom)
        self.play.tell(f"View {number} kept")

    def look_view(self, number: int) -> None:
        """Return to a kept view."""
        if number not in self._views:
            self.play.tell(f"No view {number} yet: {self.play.app.keymap.label(f'keep_view_{number}')} keeps one")
            return
        x, y, zoom = self._views[number]
        self.play.camera.set_zoom(zoom)
        self.play.camera.centre_on(x, y)

    def look_at_alarm(self) -> None:
        """Look at the place of the last alarm."""
        place = self.play.edge_marks.alarm
        if place is None:
            self.play.tell("No alarm so far")
        else:
            self.play.camera.centre_on(*place)

    def quick_save(self) -> None:
        """Save the game under its level and time; always the present one."""
        playing = self.play.timeline.travel.game
        playing.whole()
        try:
            write_save(playing.session, picture=self.play.small_picture())
        except (OSError, ValueError) as error:
            self.play.tell(str(error))
        else:
            self.play.tell(
                f"Saved at {clock_words(playing.world.tick)}: {self.play.app.keymap.label('quick_load')} loads"
            )

    def quick_load(self) -> None:
        """Load the youngest save of this level."""
        path = newest_save(self.play.playing.level.name)
        if path is None:
            self.play.tell("There is no save of this level")
            return
        try:
            session = load_game(path)
        except ValueError as error:
            self.play.tell(str(error))
            return
        self.play.new_world(Playing(session))
        self.play.tell(f"Loaded: {clock_words(session.world.tick)}")

    def squad_menu(self) -> None:
        """Open or shut the menu of squad orders."""
        state = self.play.state
        few = len(state.situation.selected) < 2
        if few:
            self.play.tell("Squad menu: select at least two units first")
        state.drawer = "" if few or state.drawer == "squad" else "squad"

    def next_page(self) -> None:
        """Turn to the next page of the command card."""
        self.play.state.page += 1

    def explore(self) -> None:
        """Open the explorer for the selected unit's search."""
        open_explorer(self.play)

    def find_overlay(self) -> None:
        """Start a search in the list of overlays; only in Lab.

        A panel that would hide the list is closed.
        """
        if self.play.view.lab:
            self.play.view.why = self.play.view.budget = False
            self.play.lab.find()
        else:
            self.play.tell(f"Overlays are listed in Lab: {self.play.app.keymap.label('lab')}")

    def lift_fog(self) -> None:
        """Show or hide the fog; only in Lab."""
        if self.play.view.lab:
            self.play.view.lift_fog = not self.play.view.lift_fog
        else:
            self.play.tell("The fog is lifted in Lab only: Tab")

    def show_keys(self) -> None:
        """Show twelve keys, then all keys, then none."""
        self.play.keys_shown = (self.play.keys_shown + 1) % 3
