"""End of a mission: won or lost, with its numbers."""

from __future__ import annotations

import pygame

from game.systems.lights import ambient_of
from game.view.hud.hud_values import TICKS_A_SECOND, clock_words
from game.view.painting.paper_panels import Panels
from game.view.painting.screen_protocols import PlayedLevel
from game.view.screens.play.pause_screen import write_replay
from game.view.screens.screen import MenuScreen
from game.view.screens.tours.tour_files import Tour
from game.view.screens.tours.tour_offer import offered_tour
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing

OFFER = 58
"""Interface pixels of the offer of a tour."""


class EndScreen(MenuScreen):
    """End screen, drawn over the last picture.

    R starts again, F9 returns to a kept moment.
    """

    see_through = True
    need = (760, 380)

    def __init__(self, app: AppServices, play: PlayedLevel) -> None:
        super().__init__(app)
        self.play = play
        self.message = ""
        won = play.playing.world.mission.status == "won"
        self.tour = offered_tour(play.playing.level.name) if won else None
        self.night = ambient_of(play.playing.world) < 1.0
        self.panels = Panels(app.palette, self.night)

    def build(self) -> None:
        """Build the buttons; with a kept moment one of them returns to it."""
        px = self.text.px
        tall = 350 + (OFFER if self.tour is not None else 0)
        self.panel = pygame.Rect(0, 0, px(720), px(tall))
        self.panel.center = self.app.window.get_rect().center
        y = self.panel.bottom - px(70)
        rows = [
            (f"Start again ({self.app.keymap.label('restart')})", self.again),
            ("Look about", self.app.pop),
            ("Save a replay", self.replay),
            ("Leave", self.leave_level),
        ]
        if self.play.moments is not None and self.play.moments.kept:
            when = clock_words(self.play.moments.kept[-1].tick)
            rows.insert(1, (f"To {when} ({self.app.keymap.label('return_moment')})", self.back))
        width = (self.panel.width - px(48)) // len(rows)
        for i, (words, action) in enumerate(rows):
            self.button(pygame.Rect(self.panel.x + px(24) + i * width, y, width - px(10), px(46)), words, action)
        if self.tour is not None:
            box = pygame.Rect(self.panel.right - px(24 + 10 + 150), y - px(OFFER), px(150), px(42))
            self.button(box, "Take the tour", self.take_tour)

    def take_tour(self) -> None:
        """Open the offered tour; the end screen waits below."""
        if self.tour is not None:
            self.app.open_tours(self.tour.name)

    def again(self) -> None:
        """Start the level again."""
        self.app.pop()
        self.play.restart(at_once=True)

    def back(self) -> None:
        """Return to the last kept moment."""
        self.app.pop()
        self.play.return_moment()

    def replay(self) -> None:
        """Write the game as a replay."""
        self.message = write_replay(self.play.playing)

    def leave_level(self) -> None:
        """Return to the screen where the level was chosen."""
        self.app.pop()
        self.app.pop()

    def key(self, event: pygame.event.Event) -> None:
        """Handle the keys for restart and for return to a kept moment."""
        command = self.app.keymap.command_of_event(event)
        if command == "restart":
            self.again()
        elif command == "return_moment" and self.play.moments is not None and self.play.moments.kept:
            self.back()
        else:
            super().key(event)

    def numbers(self) -> list[tuple[str, str]]:
        """Return the numbers of the mission: time, losses, alarms, identifications."""
        mission = self.play.playing.world.mission
        ended = mission.ended if mission.ended >= 0 else self.play.playing.world.tick
        seen = "never" if mission.identified == 0 else f"{mission.identified}x"
        return [
            ("Time", clock_words(ended)),
            ("Losses", str(mission.losses)),
            ("Alarms", str(mission.alarms)),
            ("Seen", seen),
        ]

    def medal(self) -> str:
        """Return whether the run earned its medal, or the reason against it.

        It is empty for a lost run or a level without a par.
        """
        playing = self.play.playing
        mission, par = playing.world.mission, int(playing.level.properties.get("par", 0))
        if mission.status != "won":
            return ""
        if playing.session.lab_used:
            return "Lab was used: no medal for this run"
        if par <= 0:
            return ""
        unseen = bool(playing.level.properties.get("unseen", False))
        within = f"done within {clock_words(par * TICKS_A_SECOND)}" + (", unseen" if unseen else "")
        if earned_medal(playing):
            return f"Medal earned: {within} and without Lab"
        return f"A medal needs a mission {within}"

    def cause(self) -> str:
        """Return the first identification of a lost mission, in words."""
        first = self.play.stealth.breakdown.first
        if self.play.playing.world.mission.status != "lost" or first is None:
            return ""
        return f"First seen at {clock_words(first.tick)}: {first.in_words()}"

    def advice(self) -> str:
        """Return advice on kept moments for a lost mission without one."""
        kept = self.play.moments is not None and self.play.moments.kept
        if self.play.playing.world.mission.status != "lost" or kept:
            return ""
        keep, back = (self.app.keymap.label(name) for name in ("keep_moment", "return_moment"))
        return f"{keep} keeps a moment before something risky, {back} leads back to it."

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, verdict, reason and numbers."""
        text, panels, palette = self.text, self.panels, self.app.palette
        mission = self.play.playing.world.mission
        won = mission.status == "won"
        panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(32), self.panel.y + text.px(22)
        title = ("Mission won, unseen" if mission.identified == 0 else "Mission won") if won else "Mission lost"
        names = ("select_night", "cone_night") if self.night else ("blue", "vermilion")
        colour = palette[names[0] if won else names[1]]
        text.draw(surface, (x, y), title, colour, "serif_bold", 40)
        if mission.reason:
            reason = mission.reason[0].upper() + mission.reason[1:]
            text.draw(surface, (x, y + text.px(56)), reason, panels.ink, "sans", 18)
        line = text.shortened("sans", 16, self.medal() or self.cause(), self.panel.width - text.px(64))
        text.draw(surface, (x, y + text.px(82)), line, panels.soft, "sans", 16)
        for i, (label, value) in enumerate(self.numbers()):
            left = x + text.px(165 * i)
            text.draw(surface, (left, y + text.px(116)), label, panels.soft, "sans", 17)
            text.draw(surface, (left, y + text.px(138)), value, panels.ink, "serif_bold", 34)
        for i, line in enumerate(
            text.wrap("sans", 14, self.message or self.advice(), self.panel.width - text.px(64))[:2]
        ):
            text.draw(surface, (x, y + text.px(186 + 18 * i)), line, panels.soft, "sans", 14)
        if self.tour is not None:
            self._paint_offer(surface, self.tour)

    def _paint_offer(self, surface: pygame.Surface, tour: Tour) -> None:
        """Draw what the offered tour shows, beside its button."""
        text, panels = self.text, self.panels
        x, y = self.panel.x + text.px(32), self.panel.bottom - text.px(70 + OFFER)
        title = f"Tour {tour.title}: {len(tour.stops)} stops, {tour.minutes} minutes"
        text.draw(surface, (x, y), title, panels.ink, "serif_bold", 18)
        line = text.shortened("sans", 15, tour.line, self.panel.width - text.px(64 + 170))
        text.draw(surface, (x, y + text.px(24)), line, panels.soft, "sans", 15)


def earned_medal(playing: Playing) -> bool:
    """Return whether a game earned the medal of its level."""
    mission, par = playing.world.mission, int(playing.level.properties.get("par", 0))
    unseen = bool(playing.level.properties.get("unseen", False))
    if mission.status != "won" or playing.session.lab_used or (unseen and mission.identified):
        return False
    return par > 0 and bool(mission.ended <= par * TICKS_A_SECOND)
