"""The pause menu: go on, save, load, keep a replay, start again, options, leave."""

from __future__ import annotations

from urllib.parse import quote

import pygame

from game.sim.replay import save_replay
from game.sim.saves import load_game
from game.view.painting.screen_protocols import PlayedLevel
from game.view.screens.options_screen import OptionsScreen
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices
from game.view.window.autosaver import write_save
from game.view.window.playing import Playing
from game.view.window.saved_games import newest_save
from game.view.window.user_options import data_folder


def write_replay(playing: Playing) -> str:
    """Write the game so far as a replay under the level's name and tick; returns what to tell the player."""
    playing.whole()
    path = data_folder() / "replays" / f"{quote(playing.level.name, safe='')}@{playing.world.tick:07d}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_replay(playing.session, path)
    except (OSError, ValueError) as error:
        return str(error)
    return f"Replay written: {path}"


class PauseScreen(MenuScreen):
    """Lies over the stopped game, which stays in full colour."""

    see_through = True
    need = (380, 590)

    def __init__(self, app: AppServices, play: PlayedLevel) -> None:
        super().__init__(app)
        self.play = play
        self.message = ""
        self._was_paused = play.playing.clock.paused

    def build(self) -> None:
        """A column of buttons."""
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, 0, px(340), px(560))
        self.panel.center = window.get_rect().center
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
        """Write the game under the level's name and tick."""
        playing = self.play.playing
        playing.whole()
        try:
            write_save(playing.session)
            self.message = f"Saved at {self.play.state.clock}"
        except (OSError, ValueError) as error:
            self.message = str(error)
        self.resize()

    def load(self) -> None:
        """Read the newest save of this level."""
        path = newest_save(self.play.playing.level.name)
        if path is None:
            self.message = "there is no save of this level"
            return
        try:
            session = load_game(path)
        except ValueError as error:
            self.message = str(error)
            return
        self.app.pop()
        self.play.new_world(Playing(session))
        self.play.tell("Loaded")

    def replay(self) -> None:
        """Write the orders so far, to be played again by ``main.py replay``."""
        self.message = write_replay(self.play.playing)
        self.resize()

    def restart(self) -> None:
        """The level from its start."""
        self.app.pop()
        self.play.restart(at_once=True)

    def card(self) -> None:
        """How the map was read."""
        self.app.push(CardScreen(self.app, self.play))

    def options(self) -> None:
        """The options."""
        self.app.push(OptionsScreen(self.app))

    def leave_level(self) -> None:
        """Back to where the level was chosen."""
        self.app.pop()
        self.app.pop()

    def key(self, event: pygame.event.Event) -> None:
        """The restart key starts again."""
        if self.app.keymap.command_of_event(event) == "restart":
            self.restart()
        else:
            super().key(event)

    def paint(self, surface: pygame.Surface) -> None:
        """Plate, title, message."""
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
    """ "How Fogline read this map": each layer, what it was taken for, and what would change it."""

    see_through = True
    need = (800, 500)

    def __init__(self, app: AppServices, play: PlayedLevel) -> None:
        super().__init__(app)
        self.play = play

    def build(self) -> None:
        """One button."""
        px = self.text.px
        self.panel = pygame.Rect(
            0, 0, min(px(1000), self.app.window.get_width() - 40), min(px(600), self.app.window.get_height() - 40)
        )
        self.panel.center = self.app.window.get_rect().center
        self.button(
            pygame.Rect(self.panel.right - px(184), self.panel.bottom - px(62), px(160), px(44)), "Back", self.app.pop
        )

    def paint(self, surface: pygame.Surface) -> None:
        """The card's lines."""
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
