"""Pictures and moving pictures of the window, written into the player's folder.

A recording keeps the last seconds at a reduced size, so its memory is bounded. A thread encodes it, so the window
goes on meanwhile. Pillow writes GIF; it is loaded when the first one is encoded.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pygame

from game.level.files import write_whole
from game.view.hud.notices import draw_notice
from game.view.painting.painter_services import PainterServices
from game.view.window.user_options import data_folder

EVERY_MS, KEPT_MS = 100, 15_000
"""Milliseconds between two frames of a recording, and its greatest length."""
WIDEST = 640
"""Pixels of a recorded frame across; 150 frames of 640x360 are 104 MB."""
COLOURS, SAMPLED = 255, 4
"""Colours of a recording, and frames from which they are taken."""
NOTICE_MS, NOTICE_TOP = 4000, 120
"""Time of a notice, and interface pixels above it.

It lies below the notices of the game.
"""
PREFIX = "fogline_"


def pictures_folder() -> Path:
    """Return the folder of pictures and recordings."""
    return data_folder() / "pictures"


def next_file(suffix: str) -> Path:
    """Return the next free name with a suffix; make the folder.

    Raises ValueError in one line.
    """
    folder = pictures_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = [path.stem.removeprefix(PREFIX) for path in folder.glob(f"{PREFIX}*")]
    except OSError as error:
        raise ValueError(f"{folder}: cannot be written ({error.strerror}); check the folder") from None
    return folder / f"{PREFIX}{max((int(name) for name in names if name.isdecimal()), default=0) + 1:04d}{suffix}"


def png_of(window: pygame.Surface) -> bytes:
    """Return a surface as the bytes of a PNG file."""
    body = BytesIO()
    pygame.image.save(window, body, "x.png")
    return body.getvalue()


def gif_of(frames: Sequence[bytes], size: tuple[int, int]) -> bytes:
    """Return frames of RGB bytes as a GIF that repeats.

    All frames share the colours of a few of them, so that still ground does not flicker.
    """
    from PIL import Image

    pictures = [Image.frombytes("RGB", size, frame) for frame in frames]
    some = [pictures[at * (len(pictures) - 1) // (SAMPLED - 1)] for at in range(SAMPLED)]
    sheet = Image.new("RGB", (size[0], size[1] * SAMPLED))
    for row, picture in enumerate(some):
        sheet.paste(picture, (0, row * size[1]))
    colours = sheet.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few = [picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in pictures]
    body = BytesIO()
    few[0].save(body, "GIF", save_all=True, append_images=few[1:], duration=EVERY_MS, loop=0)
    return body.getvalue()


class WindowRecorder:
    """Takes pictures of the finished window; shows what it does in a notice."""

    def __init__(self, app: PainterServices) -> None:
        self.app = app
        self.frames: deque[bytes] = deque(maxlen=KEPT_MS // EVERY_MS)
        self.recording = False
        self.words = ""
        self._until = 0
        self._wanted = False
        self._next_at = 0
        self._size = (0, 0)
        self._thread: threading.Thread | None = None
        self._result = ""

    def shoot(self) -> None:
        """Write a picture of the next frame."""
        self._wanted = True

    def toggle(self) -> None:
        """Begin a recording, or end it and encode it."""
        if self._thread is not None:
            self.tell("The last recording is still being written")
        elif not self.recording:
            self.recording, self._next_at = True, 0
            self.frames.clear()
        else:
            self.recording = False
            frames, size = list(self.frames), self._size
            self.frames.clear()
            if not frames:
                self.tell("Nothing was recorded")
                return
            self.tell(f"Writing {len(frames) * EVERY_MS / 1000:.1f} s")
            self._thread = threading.Thread(target=self._encode, args=(frames, size), name="gif")
            self._thread.start()

    def _encode(self, frames: list[bytes], size: tuple[int, int]) -> None:
        """Encode and write; leave one line for the window."""
        try:
            path = next_file(".gif")
            write_whole(path, gif_of(frames, size))
        except ImportError:
            self._result = "A GIF needs Pillow: pip install -r requirements.txt"
        except (ValueError, OSError) as error:
            self._result = str(error)
        else:
            self._result = f"Recording: {path}"

    def tell(self, words: str) -> None:
        """Show one line for a moment."""
        self.words, self._until = words, self.app.now_ms + NOTICE_MS

    def after_draw(self, window: pygame.Surface) -> None:
        """Take what was asked for from a finished frame, then draw the notice."""
        if self._wanted:
            self._wanted = False
            self._write_picture(window)
        if self.recording and self.app.now_ms >= self._next_at:
            self._next_at = self.app.now_ms + EVERY_MS
            self._keep(window)
        if self._thread is not None and not self._thread.is_alive():
            self.close()
        words = self.words if self.app.now_ms < self._until else ""
        if self.recording:
            words = f"Recording, {len(self.frames) * EVERY_MS / 1000:.1f} s"
        if words:
            draw_notice(window, self.app, words, NOTICE_TOP, window.get_width())

    def _write_picture(self, window: pygame.Surface) -> None:
        try:
            path = next_file(".png")
            write_whole(path, png_of(window))
        except (ValueError, pygame.error) as error:
            self.tell(str(error))
        else:
            self.tell(f"Picture: {path}")

    def _keep(self, window: pygame.Surface) -> None:
        """Keep a reduced frame; a new size of the window begins the recording again."""
        wide, high = window.get_size()
        share = min(1.0, WIDEST / wide)
        size = (max(round(wide * share), 1), max(round(high * share), 1))
        if size != self._size:
            self._size = size
            self.frames.clear()
        small = pygame.transform.smoothscale(window, size)
        self.frames.append(pygame.image.tobytes(small, "RGB"))

    def close(self) -> None:
        """Wait until a recording is written."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            self.tell(self._result)
