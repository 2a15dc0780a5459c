"""Mouse on the map: selection, orders, panning, zoom and the cursor's shape."""

from __future__ import annotations

import pygame

from game.view.hud.click_words import click_words
from game.view.input.command_table import BY_NAME
from game.view.input.facing_drag import FacingDrag
from game.view.input.input_context import MouseContext
from game.view.input.order_input import Click, cursor_for, look_under, make_order, meant, reachable_goal
from game.view.input.selection import DOUBLE_CLICK_MS, DRAG_PX, units_in_box
from game.view.input.squad_plan_mode import SquadPlanMode
from game.world.orders import NO_FACING, OrderKind

LEFT, MIDDLE, RIGHT = 1, 2, 3
HOVER_EVERY_MS = 50
LONG_PRESS_MS = 450
WHEEL_PAN_PX = 40
_FACED = ("move", "attack_move")
"""Commands whose button may be dragged to set the facing of a group."""


class Mouse:
    """State of buttons and drags on a play screen."""

    def __init__(self, screen: MouseContext) -> None:
        self.screen = screen
        self.armed = ""
        self.cursor = "arrow"
        self.words = ""
        """Effect of a click at the cursor, in words."""
        self._cursor_set = False
        self.facing: FacingDrag | None = None
        """Button held on the map that orders a move.

        A drag sets the facing of the group.
        """
        self.squad_plan = SquadPlanMode(screen)
        self._press: tuple[int, int] | None = None
        self._pressed_at = 0
        self._panning: tuple[int, int] | None = None
        self._on_minimap = False
        self._last_click = (-10_000, -1)
        self._age = HOVER_EVERY_MS
        self._last_pos = (0, 0)
        self._met = False
        """True after the first event of the mouse.

        Before it there is no cursor to describe.
        """

    @property
    def pos(self) -> tuple[int, int]:
        """Return the last pixel of the cursor."""
        return self._last_pos

    @property
    def dragging(self) -> bool:
        """Return True while a button is held on the map."""
        held = self.squad_plan.pressed is not None or self.facing is not None
        return held or self._press is not None or self._panning is not None

    def handle(self, event: pygame.event.Event) -> None:
        """Handle one mouse event."""
        self._met = self._met or event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN)
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._down(event)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._up(event)
        elif event.type == pygame.MOUSEMOTION:
            self._moved(event)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event)
        elif event.type == pygame.WINDOWLEAVE:
            self._panning = None

    def _wheel(self, event: pygame.event.Event) -> None:
        """Zoom about the cursor, or pan.

        With the option "pan" two fingers pan, and Ctrl held zooms. Sideways movement always pans.
        """
        camera = self.screen.camera
        dx, dy = getattr(event, "precise_x", event.x), getattr(event, "precise_y", event.y)
        ctrl = bool(pygame.key.get_mods() & pygame.KMOD_CTRL)
        if self.screen.app.options.wheel == "pan" and not ctrl:
            camera.pan(dx * WHEEL_PAN_PX, -dy * WHEEL_PAN_PX)
            return
        camera.zoom_by(event.y, *self._last_pos)
        if event.x:
            camera.pan(dx * WHEEL_PAN_PX, 0)

    def hold(self) -> None:
        """Give the order of a right click when the left button is held still.

        This serves a mouse with one button.
        """
        if self._press is None or self.screen.app.options.pointer != "one_button" or self.screen.view.box is not None:
            return
        if self.screen.app.now_ms - self._pressed_at >= LONG_PRESS_MS and not self.armed:
            pos, self._press = self._press, None
            self._order(self._click_at(*self.screen.camera.to_world(*pos)))

    def _down(self, event: pygame.event.Event) -> None:
        screen, pos = self.screen, event.pos
        self._last_pos = pos
        part = None if screen.view.lab else screen.hud.part_at(pos, screen.state)
        if event.button == MIDDLE:
            self._panning = pos
        elif part is not None:
            self._on_hud(part, event)
        elif screen.view.lab and screen.lab.covers(pos):
            return
        elif self.facing is not None:
            self.facing = None  # a press of another button cancels
        elif self.squad_plan.draft is not None and event.button in (LEFT, RIGHT):
            if event.button == LEFT and not _ctrl():
                self.squad_plan.press(pos)
            else:
                self.squad_plan.drop()
        elif event.button == LEFT and not _ctrl():
            if self.armed in _FACED and screen.selection.ids and not screen.state.situation.preparing:
                self._begin_facing(LEFT, pos, self._click_at(*screen.camera.to_world(*pos)))
            else:
                self._press, self._pressed_at = pos, screen.app.now_ms
        elif event.button in (LEFT, RIGHT):
            if self.armed and not _shift():
                self.armed = ""
                return
            click = self._click_at(*screen.camera.to_world(*pos))
            # Without the kernels of groups the ghosts of a drag would promise places that the units do not take.
            if click.name in _FACED and not screen.state.situation.preparing:
                self._begin_facing(event.button, pos, click)
            else:
                self._order(click)

    def _click_at(self, x: float, y: float) -> Click:
        """Return the meaning of a click at a world position.

        A press asks once and keeps the answer until its release.
        """
        screen, armed = self.screen, BY_NAME.get(self.armed)
        rows = screen.scene.shown_rows(screen.playing, screen.view.lab and screen.view.lift_fog)
        under = look_under(screen.playing, rows, x, y, screen.camera.zoom)
        return Click(under, armed, meant(under, armed, screen.state.situation))

    def _begin_facing(self, button: int, pos: tuple[int, int], click: Click) -> None:
        """Keep a press that orders a move on its release.

        Its mark shows at once.
        """
        screen, under = self.screen, click.under
        self.facing = FacingDrag(button, pos, click, pos)
        if not screen.plan_mode.plan.on:
            screen.view.marks.ordered(click.name, under.x, under.y, screen.selection.ids, screen.app.now_ms)
        screen.app.sound.play("order", at_most_every_ms=60)

    def cancel(self) -> bool:
        """Drop the held button, squad plan or armed command, if any."""
        held = self.facing is not None or bool(self.armed) or self.squad_plan.drop()
        if self.facing is not None:
            self.facing = None
        else:
            self.armed = ""
        return held

    def _up(self, event: pygame.event.Event) -> None:
        screen = self.screen
        if event.button == MIDDLE:
            self._panning = None
        elif self.facing is not None and event.button == self.facing.button:
            drag, self.facing = self.facing, None
            self._order(drag.click, drag.facing, keep=drag.dragging and _shift())
        elif event.button == LEFT and self.squad_plan.pressed is not None:
            self.squad_plan.release(event.pos)
        elif event.button == LEFT:
            self._on_minimap = False
            start, self._press = self._press, None
            box, screen.view.box = screen.view.box, None
            if start is None:
                return
            add = _shift()
            if box is not None:
                self._choose_box(box, add)
            elif self.armed:
                self._order(self._click_at(*screen.camera.to_world(*event.pos)))
            else:
                self._click(event.pos, add)

    def _moved(self, event: pygame.event.Event) -> None:
        screen, pos = self.screen, event.pos
        self._last_pos = pos
        if self._panning is not None:
            screen.camera.pan(self._panning[0] - pos[0], self._panning[1] - pos[1])
            self._panning = pos
        elif self.facing is not None:
            self.facing.move(pos)
        elif self.squad_plan.pressed is not None:
            self.squad_plan.move(pos)
        elif self._on_minimap:
            self._look_on_minimap(pos)
        elif self._press is not None and not self.armed:
            dx, dy = pos[0] - self._press[0], pos[1] - self._press[1]
            if screen.view.box is not None or max(abs(dx), abs(dy)) > DRAG_PX:
                box = pygame.Rect(*self._press, dx, dy)
                box.normalize()
                screen.view.box = box

    def _on_hud(self, part: tuple[str, str], event: pygame.event.Event) -> None:
        screen = self.screen
        what, detail = part
        if what == "minimap":
            where = screen.minimap.world_at(screen.hud.layout.minimap_box(), event.pos)
            if event.button == RIGHT and where is not None:
                self._order(self._click_at(*where))
            elif event.button == LEFT:
                self._on_minimap = True
                self._look_on_minimap(event.pos)
        elif event.button != LEFT:
            return
        elif what == "card":
            screen.give_command(detail)
        elif what == "drawer":
            screen.state.drawer = "" if screen.state.drawer == detail else detail
        elif what == "portrait":
            screen.selection.choose([int(detail)], _shift())
        elif what == "group":
            screen.choosing.recall(int(detail))
        elif what == "clock":
            screen.give_command(detail)

    def _look_on_minimap(self, pos: tuple[int, int]) -> None:
        where = self.screen.minimap.world_at(self.screen.hud.layout.minimap_box(), pos)
        if where is not None:
            self.screen.camera.centre_on(*where)

    def _click(self, pos: tuple[int, int], add: bool) -> None:
        screen = self.screen
        p = screen.playing.picture
        under = self._click_at(*screen.camera.to_world(*pos)).under
        if under.own >= 0:
            now, last = screen.app.now_ms, self._last_click
            self._last_click = (now, under.own)
            if last[1] == under.own and now - last[0] <= DOUBLE_CLICK_MS:
                self._choose_type(under.own, add)
            else:
                screen.selection.choose([under.own], add)
            screen.app.sound.play("select", at_most_every_ms=60)
        elif under.enemy >= 0:
            screen.view.pinned = -1 if screen.view.pinned == under.enemy else under.enemy
            if screen.view.lab or not len(p.living(screen.playing.side)):
                screen.selection.choose([under.enemy], add)
        elif not screen.why.pick(under.x, under.y):
            screen.view.pinned = -1
            if not add:
                screen.selection.choose([])

    def _choose_box(self, box: pygame.Rect, add: bool) -> None:
        screen = self.screen
        p = screen.playing.picture
        own = p.living(screen.playing.side)
        a, b = screen.camera.to_world(*box.topleft), screen.camera.to_world(*box.bottomright)
        ids = units_in_box(p, a, b, own)
        if ids or not add:
            screen.selection.choose(ids, add)
        if ids:
            screen.app.sound.play("select", at_most_every_ms=60)

    def _choose_type(self, unit: int, add: bool) -> None:
        """Select all own units of that type on screen."""
        screen = self.screen
        p = screen.playing.picture
        kind = p.kind[p.row_of[unit]]
        own = p.living(screen.playing.side)
        same = own[p.kind[own] == kind]
        camera = screen.camera
        corner = camera.to_world(camera.width, camera.height)
        screen.selection.choose(units_in_box(p, camera.to_world(0, 0), corner, same), add)

    def _order(self, click: Click, facing: float = NO_FACING, keep: bool = False) -> None:
        """Give the order that a click means, with its mark and its sound.

        The world reports when no unit can reach the place.
        """
        screen, armed = self.screen, click.armed
        queued = _shift()
        order = make_order(click, screen.state.situation, queued)
        if not (queued or keep):
            self.armed = ""
        if order is None:
            if armed is not None and screen.selection.ids:
                screen.tell(f"{armed.words}: nothing there to {armed.words.lower()}")
            return
        if order.kind == OrderKind.SQUAD and not queued:
            self.squad_plan.begin(order)
            screen.app.sound.play("select", at_most_every_ms=60)
            return
        if OrderKind(order.kind) in (OrderKind.MOVE, OrderKind.ATTACK_MOVE):
            order.facing = facing
        at_once = screen.give_order(order)
        if at_once and order.kind != OrderKind.SPAWN:
            name = OrderKind(order.kind).name.lower()
            screen.view.marks.ordered(name, order.x, order.y, order.units, screen.app.now_ms)
        screen.app.sound.play("order", at_most_every_ms=60)

    def hover(self, dt_ms: int) -> None:
        """Update the things under the cursor and the shape of the cursor."""
        self._age += dt_ms
        if self.armed:
            self.squad_plan.drop()  # another command was chosen
        self.squad_plan.update()
        if self.facing is not None:
            self.facing.look(self.screen.playing, self.screen.selection.ids, self.screen.app.now_ms)
        if self._age < HOVER_EVERY_MS:
            return
        self._age = 0
        screen = self.screen
        pos = self._last_pos
        part = None if screen.view.lab else screen.hud.part_at(pos, screen.state)
        screen.state.hover = part[1] if part is not None and part[0] == "card" else ""
        screen.view.ghost = None
        screen.view.hovered = -1
        cursor, self.words = "arrow", ""
        if part is None and self._met and not (screen.view.lab and screen.lab.covers(pos)):
            click = self._click_at(*screen.camera.to_world(*pos))
            screen.under, under, name = click.under, click.under, click.name
            screen.view.hovered = under.enemy
            reachable = True
            if name in ("move", "attack_move", "patrol") and screen.selection.ids:
                reachable, screen.view.ghost = reachable_goal(screen.playing, screen.selection.ids, under.x, under.y)
            cursor = cursor_for(name, reachable)
            world = screen.playing.world
            target = world.name_of(under.enemy) if under.enemy >= 0 else ""
            self.words = click_words(name, under, reachable, target)
            if self.squad_plan.draft is not None:
                cursor, self.words, screen.view.ghost = "move", "", None
            elif under.own >= 0 and not self.armed:
                cursor = "select"
        else:
            screen.under = None
        if self._panning is not None:
            cursor = "pan"
        if cursor != self.cursor or not self._cursor_set:
            self.cursor, self._cursor_set = cursor, True
            self._set_cursor(cursor)

    def forget_cursor(self) -> None:
        """Set the cursor again at the next hover.

        It is called after another screen or another scale has changed the cursor.
        """
        self._cursor_set = False

    def _set_cursor(self, name: str) -> None:
        found = self.screen.sprites.cursor(name, self.screen.app.options.ui_scale)
        hot = int(found.anchor[0]), int(found.anchor[1])
        pygame.mouse.set_cursor(pygame.cursors.Cursor(hot, found.image.copy()))


def _ctrl() -> bool:
    """Return whether Ctrl is held.

    Ctrl with the left button acts as the right button.
    """
    return bool(pygame.key.get_mods() & pygame.KMOD_CTRL)


def _shift() -> bool:
    return bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
