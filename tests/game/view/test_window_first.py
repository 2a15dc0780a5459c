"""Start of the window: app and menu import neither numba nor scipy."""

import subprocess
import sys


def test_app_and_menu_load_neither_numba_nor_scipy():
    code = "import sys, game.view.app, game.view.screens.menu_screen; print({'numba', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("set()"), done.stdout
