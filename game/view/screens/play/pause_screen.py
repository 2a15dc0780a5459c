"""Pause menu: continue, save, load, write a replay, restart, options, leave."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pygame

from game.sim.replay import save_replay
from game.sim.saves import load_game
from game.view.hud.hud_values import clock_words
from game.view.painting.screen_protocols import PlayedLevel
from game.view.screens.options_screen import OptionsScreen
from game.view.screens.saves_screen import SavesScreen
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices
from game.view.window.autosaver import write_save
from game.view.window.playing import Playing
from game.view.window.saved_games import newest_save
from game.view.window.user_options import data_folder


def write_replay(playing: Playing) -> str:
    """Write the game so far as a replay; return the message for the player.

    The file is named by level and tick.
    """
    playing.whole()
    path = data_folder() / "replays" / f"{quote(playing.level.name, safe='')}@{playing.world.tick:07d}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_replay(playing.session, path)
    except (OSError, ValueError) as error:
        return str(error)
    return f"Replay written: {path}"


class PauseScreen(MenuScreen):
    """Pause menu, drawn over the stopped game, which stays in full colour."""

    see_through = True
    need = (380, 720)

    def __init__(self, app: AppServices, play: PlayedLevel) -> None:
        super().__init__(app)
        self.play = play
        self.message = ""
        self._was_paused = play.playing.clock.paused

    def build(self) -> None:
        """Build a column of buttons."""
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, 0, px(340), px(560))
        self.panel.center = window.get_rect().center
        if self.play.timeline.records:
            top = self.play.timeline.arrange(lab=False).top
            self.panel.bottom = min(self.panel.bottom, top - px(8))
        rows = [
            ("Go on", self.app.pop),
            ("Save", self.save),
            ("Load", self.load),
            ("Save a replay", self.replay),
            ("Start again", self.restart),
            ("How this map was read", self.card),
            ("Options", self.options),
            ("Leave", self.leave_level),
        ]
        x, y = self.panel.x + px(24), self.panel.y + px(70)
        for words, action in rows:
            key = {"Go on": "Esc", "Start again": self.app.keymap.label("restart")}.get(words, "")
            tip = f"Key: {key}" if key else None
            made = self.button(pygame.Rect(x, y, self.panel.width - px(48), px(44)), words, action, tip=tip)
            if words == "Load" and not newest_save(self.play.playing.level.name):
                made.disable()
            y += px(53)

    def save(self) -> None:
        """Save the game under the level's name and tick; always the present one."""
        playing = self.play.timeline.travel.game
        playing.whole()
        try:
            write_save(playing.session, picture=self.play.small_picture())
            self.message = f"Saved at {clock_words(playing.world.tick)}"
        except (OSError, ValueError) as error:
            self.message = str(error)
        self.resize()

    def load(self) -> None:
        """Open the list of this level's saves."""
        self.app.push(SavesScreen(self.app, self.load_save, self.play.playing.level.name))

    def load_save(self, path: Path) -> str:
        """Load a save in place of the game; return the error, or ""."""
        try:
            session = load_game(path)
        except ValueError as error:
            return str(error)
        self.app.pop()
        self.app.pop()
        self.play.new_world(Playing(session))
        self.play.tell("Loaded")
        return ""

    def replay(self) -> None:
        """Write the orders so far as a replay for ``main.py replay``."""
        self.message = write_replay(self.play.timeline.travel.game)
        self.resize()

    def restart(self) -> None:
        """Start the level again."""
        self.app.pop()
        self.play.restart(at_once=True)

    def card(self) -> None:
        """Show how the map was read."""
        self.app.push(CardScreen(self.app, self.play))

    def options(self) -> None:
        """Open the options."""
        self.app.push(OptionsScreen(self.app))

    def leave_level(self) -> None:
        """Return to the screen where the level was chosen."""
        self.app.pop()
        self.app.pop()

    def key(self, event: pygame.event.Event) -> None:
        """Handle a key; the restart key starts the level again."""
        if self.app.keymap.command_of_event(event) == "restart":
            self.restart()
        else:
            super().key(event)

    def handle(self, event: pygame.event.Event) -> None:
        """Handle the timeline below the menu first."""
        if not self.play.timeline.handle(event):
            super().handle(event)

    def update(self, dt_ms: int) -> None:
        """Advance the widgets, and go on to the tick that is sought."""
        super().update(dt_ms)
        self.play.timeline.update()

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title and message, and the timeline."""
        self.play.timeline.draw(surface, lab=False)
        text, panels = self.text, self.app.panels
        panels.draw(surface, self.panel)
        at = (self.panel.x + text.px(24), self.panel.y + text.px(18))
        text.draw(surface, at, "Paused", panels.ink, "serif_bold", 30)
        hint = f"Esc: go on   {self.app.keymap.label('restart')}: start again"
        lines = text.wrap("sans", 15, self.message or hint, self.panel.width - text.px(48))
        for i, line in enumerate(lines[:2]):
            y = self.panel.bottom - text.px(58 - 20 * i)
            text.draw(surface, (self.panel.x + text.px(24), y), line, panels.ink, "sans", 15)


class CardScreen(MenuScreen):
    """Card of the map: each layer, its meaning, and the means to change it."""

    see_through = True
    need = (800, 500)

    def __init__(self, app: AppServices, play: PlayedLevel) -> None:
        super().__init__(app)
        self.play = play

    def build(self) -> None:
        """Build the button."""
        px = self.text.px
        self.panel = pygame.Rect(
            0, 0, min(px(1000), self.app.window.get_width() - 40), min(px(600), self.app.window.get_height() - 40)
        )
        self.panel.center = self.app.window.get_rect().center
        self.button(
            pygame.Rect(self.panel.right - px(184), self.panel.bottom - px(62), px(160), px(44)), "Back", self.app.pop
        )

    def paint(self, surface: pygame.Surface) -> None:
        """Draw the lines of the card."""
        text, panels = self.text, self.app.panels
        panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(24), self.panel.y + text.px(18)
        text.draw(surface, (x, y), "How Fogline read this map", panels.ink, "serif_bold", 28)
        y += text.px(50)
        for line in self.play.playing.level.card.lines():
            for part in text.wrap("sans", 16, line, self.panel.width - text.px(48)):
                if y < self.panel.bottom - text.px(90):
                    text.draw(surface, (x, y), part, panels.ink, "sans", 16)
                    y += text.px(23)
