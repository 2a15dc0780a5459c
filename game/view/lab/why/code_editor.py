"""Editor of the player: the option "Code editor", else the variable ``VISUAL``."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

from game.view.lab.why.source_lines import Source

WINDOWED = ("code", "codium", "cursor", "zed", "subl", "gedit", "kate", "gvim", "emacs", "idea", "pycharm")
"""Editors with their own window; the options offer the installed ones."""
IN_TERMINAL = ("vi", "vim", "nvim", "nano", "hx", "helix", "kak", "micro")
NONE_SET = "no editor is set: write one under Options, Lab, or set VISUAL, such as VISUAL=code"


def installed_editors(most: int = 4) -> list[str]:
    """Return the windowed editors that are installed, in the order of the table."""
    return [name for name in WINDOWED if shutil.which(name) is not None][:most]


def editor_command(editor: str, source: Source) -> list[str]:
    """Return the command that opens a line in an editor.

    ``editor`` is a command line as in ``$VISUAL``. ValueError in one line for none, or for one that needs a terminal.
    """
    try:
        words = shlex.split(editor)
    except ValueError as error:
        raise ValueError(f"editor {editor}: {error}; close the quotation under Options, Lab") from error
    if not words:
        raise ValueError(NONE_SET)
    name = Path(words[0]).name
    if name in IN_TERMINAL:
        raise ValueError(f"{name} needs a terminal: write it behind one, such as xterm -e {name}")
    if name.startswith(("code", "codium", "cursor")):
        return [*words, "-g", f"{source.file}:{source.line}"]
    if {Path(word).name for word in words} & {"subl", "zed", "hx", "helix"}:
        return [*words, f"{source.file}:{source.line}"]
    if name.startswith(("idea", "pycharm", "kate")):
        return [*words, "--line", str(source.line), str(source.file)]
    return [*words, f"+{source.line}", str(source.file)]


def open_in_editor(editor: str, source: Source) -> str:
    """Start the editor at a line; return one line that tells what happened."""
    try:
        command = editor_command(editor, source)
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except ValueError as error:
        return str(error)
    except OSError as error:
        return f"{command[0]}: cannot be started ({error.strerror}); check Options, Lab, or VISUAL"
    return f"Opened: {source.place}"
