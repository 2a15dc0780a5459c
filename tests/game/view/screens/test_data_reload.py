"""Reload of data by a key: a bad file changes nothing."""

from pathlib import Path

import numpy as np
import pytest

from game.view.screens.play_screen import PlayScreen
from game.view.units.figures import shipped_book
from game.view.window.data_reload import reload_data
from game.view.window.playing import Playing
from game.world.unit_types import DATA
from tests.game.minds.scenes.test_scenes_in_play import camp
from tests.game.sim.play import Play

FILES = ("clips.toml", "palette.toml", "scenes.toml", "acts.toml")


@pytest.fixture
def screen(player, tmp_path: Path) -> PlayScreen:
    """Return the play screen of a camp whose guards sit at a fire."""
    play = Play(tmp_path, camp(), vision__far_seconds=60.0).run(60)
    player.app.push(PlayScreen(player.app, Playing(play.session)))
    yield player.screen
    shipped_book.cache_clear()


def folder_with(tmp_path: Path, **changes: tuple[str, str]) -> Path:
    """Return a folder of the game's files in which texts are replaced."""
    folder = tmp_path / "data"
    folder.mkdir(exist_ok=True)
    for name in FILES:
        text = (DATA / name).read_text("utf-8")
        old, new = changes.get(name.removesuffix(".toml"), ("", ""))
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1) if old else text, "utf-8")
    return folder


def test_ctrl_r_reloads_and_a_bad_file_is_told_in_one_line_and_changes_nothing(player, screen, tmp_path: Path) -> None:
    screen.playing.clock.paused = True
    player.press("reload_data")
    assert screen.notice == "Data reloaded"
    figures, script = screen.scene.figures, screen.playing.world.scenes.script(screen.playing.world.scenes.zones[0])
    for name, slip, told in (
        ("clips", ('default = "idle"', 'default = "none"'), "default: there is no clip 'none'"),
        ("clips", ('[pose.run_left]\nbase = "walk_left"', '[pose.run_left]\nbase = "run_left"'), "form a circle"),
        ("clips", ('still = "idle"', 'still = "idler"'), "choice.stand.still: there is no clip 'idler'"),
        ("palette", ('"comb_helmet"', '"bowler"'), "side guards: headgear 'bowler' is none of"),
        (
            "scenes",
            ('"warm_hands"', '"warm_feet"'),
            "[scene.fire] behaviour.warm.gesture: there is no clip 'warm_feet'",
        ),
        ("scenes", ('category = "main"', 'category = "extra"'), "the scene has no cast"),
        ("acts", ('["torso", "head"]', '["torso", "tail"]'), "there is no region 'tail'"),
    ):
        folder = folder_with(tmp_path, **{name: slip})
        screen.tell(reload_data(screen, folder))
        player.frames(1)
        assert told in screen.notice and f"{name}.toml" in screen.notice and "\n" not in screen.notice
        assert screen.scene.figures is figures and not screen.playing.world.pending
    (folder / "acts.toml").unlink()
    assert "acts.toml: cannot be read" in reload_data(screen, folder)
    assert screen.playing.world.scenes.script(screen.playing.world.scenes.zones[0]) is script


def test_new_clips_and_clothes_show_at_once_and_new_scenes_and_acts_enter_by_orders(screen, tmp_path: Path) -> None:
    world = screen.playing.world
    folder = folder_with(
        tmp_path,
        clips=("[clip.warm_hands]", '[clip.wave]\ngroup = "hands"\nkeys = [["signal", 0.0]]\n[clip.warm_hands]'),
        palette=('colour = "#D1491F"', 'colour = "#11AA22"'),
        scenes=('gesture = "warm_hands"', 'gesture = "wave"'),
        acts=("start = 5", "start = 8"),
    )
    before = screen.scene.figures.parts
    assert reload_data(screen, folder) == "Data reloaded: scenes and acts serve from the next tick"
    assert "wave" in screen.scene.figures.book.index and screen.hud.figures is screen.scene.figures
    assert screen.scene.figures.parts is not before and screen.app.palette.sides[1].colour == (0x11, 0xAA, 0x22)
    screen.playing.session.advance()
    assert world.scenes.script(world.scenes.zones[0]).behaviours["warm"].gesture == ("wave",)
    assert np.count_nonzero(world.acts.kinds != world.act_rows) == 0 and (world.acts.kinds[:, 2] == 8).sum() == 1
    kinds = [order.name for _, order in screen.playing.session.log]
    assert kinds == ["scenes", "acts"], "a replay repeats them"
    assert reload_data(screen, folder) == "Data reloaded", "what is the same is no order"


def test_a_clip_that_is_missing_at_run_time_is_told_once(player, screen) -> None:
    world = screen.playing.world
    for behaviour in world.scenes.script(world.scenes.zones[0]).behaviours.values():
        behaviour.gesture = ("hum",)
    told = []
    screen.playing.clock.paused = False
    screen.tell = told.append  # type: ignore[method-assign]
    screen.camera.centre_on(7.5, 6.5)
    screen.view.lab = True
    player.frames(12, 50)
    assert told == ["clips: there is no clip 'hum'; 'idle' takes its place"]
