"""Tiled project: commands, the extension that checks a saved map, and rules of AutoMap.

Tiled is not run here.  The extension runs in node with stand-ins of the documented interfaces; the rule maps are
applied by a small matcher of this file.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import pytmx

from game.checks.check import CheckTask, check_task
from game.level.level_writer import LevelBuilder
from game.level.model import GROUND
from game.level.schema import tiled_project
from tools.prose_lint import ROOT

LEVELS = ROOT / "levels"
PROJECT = json.loads((LEVELS / ".tiled-project").read_text())
EXTENSION = ROOT / "assets" / "tiled" / "extensions" / "fogline_check.js"
RULES = ROOT / "assets" / "tiled" / "rules"


def test_the_project_has_play_and_check_which_save_and_hand_over_the_map() -> None:
    """Tiled's defaults of these keys would neither enable a command nor save."""
    commands = {c["name"]: c for c in PROJECT["commands"]}
    assert set(commands) == {"Fogline: Play", "Fogline: Check"}
    for word in ("play", "check"):
        command = commands[f"Fogline: {word.capitalize()}"]
        assert command["saveBeforeExecute"] is True and command["enabled"] is True and command["showOutput"] is True
        assert command["arguments"].endswith(f" {word} %mapfile") and command["workingDirectory"] == "%projectpath"
        main = command["arguments"].split('"')[1]
        assert (LEVELS / main).resolve() == ROOT / "main.py"
    paths = [PROJECT["extensionsPath"], PROJECT["automappingRulesFile"]]
    assert [(LEVELS / p).exists() for p in paths] == [True, True]
    given = {p["name"]: p["value"] for p in PROJECT["properties"]}
    assert (LEVELS / given["fogline_main"]).is_file() and given["fogline_python"] == "python"


HARNESS = """
const issues = [], shown = [], calls = [], given = JSON.parse(process.env.GIVEN);
let saved = null;
const object = { id: 2 }, group = { isGroupLayer: true, layers: [{ isObjectLayer: true, objects: [object] }] };
const layers = [{ isTileLayer: true }, group];
const map = { isTileMap: true, fileName: given.map, tileWidth: 32, tileHeight: 16, layers };
globalThis.tiled = {
  projectFilePath: "/p/levels/own.tiled-project",
  project: { property: name => given.properties[name] },
  assetSaved: { connect: f => { saved = f; } },
  error: (text, activated) => issues.push({ text, activated }),
  log: () => {},
  open: name => name === given.map ? map : null,
  mapEditor: { currentMapView: { centerOn: (x, y) => shown.push([x, y]) } },
};
globalThis.Process = class {
  setEnv() {}
  exec(program, args, strict) { calls.push([program, args, this.workingDirectory, strict]); return given.code; }
  readStdOut() { return given.out; }
  readStdErr() { return given.err; }
  close() { calls.push("closed"); }
};
(0, eval)(require("fs").readFileSync(given.extension, "utf8"));
saved({ isTileMap: false, fileName: "t.tsx" });
saved(map);
issues.forEach(issue => issue.activated());
console.log(JSON.stringify({ issues: issues.map(i => i.text), shown, calls, selected: map.selectedObjects }));
"""


def in_node(**given: Any) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    given = {"properties": {"fogline_python": "py", "fogline_main": "../main.py"}, "extension": str(EXTENSION)} | given
    done = subprocess.run([node, "-e", HARNESS], env={"GIVEN": json.dumps(given)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_each_finding_of_a_saved_map_is_an_issue_at_its_tile(tmp_path: Path) -> None:
    (tmp_path / "own.tiled-project").write_text(tiled_project())
    b = LevelBuilder.from_letters(".....\n.....")
    b.add("spawn", 0.5, 0.5)
    b.add("light", 40.5, 1.5)
    b.write(tmp_path / "m.tmx")
    row = check_task(CheckTask(tmp_path / "m.tmx")).row
    told = in_node(map="/p/levels/m.tmx", code=1, out=json.dumps([row]), err="")
    assert len(told["issues"]) == 1
    assert "light" in told["issues"][0] and "outside the map; move it onto the map" in told["issues"][0]
    assert told["shown"] == [[40.5 * 32, 1.5 * 16]] and told["selected"] == [{"id": 2}]
    arguments = ["/p/levels/../main.py", "check", "/p/levels/m.tmx", "--maps-only", "--json", "-"]
    assert told["calls"] == [["py", arguments, "/p/levels/", False], "closed"]


@pytest.mark.parametrize(
    ("code", "out", "err", "words"),
    [
        (-1, "", "", "could not be started; correct fogline_python"),
        (2, "", "x\nfogline: m.tmx: no such file\n", "fogline: m.tmx: no such file"),
        (0, "no JSON", "", "correct fogline_python and fogline_main"),
    ],
)
def test_a_check_that_fails_is_one_issue_with_its_remedy(code: int, out: str, err: str, words: str) -> None:
    told = in_node(map="/p/levels/m.tmx", code=code, out=out, err=err)
    assert len(told["issues"]) == 1 and words in told["issues"][0] and "\n" not in told["issues"][0]


def test_a_clean_map_and_a_project_without_fogline_have_no_issue() -> None:
    out = json.dumps([{"level": "m", "findings": []}, {"level": "m", "script": "s"}])
    assert in_node(map="m.tmx", code=0, out=out, err="")["issues"] == []
    told = in_node(map="m.tmx", code=0, out="", err="", properties={})
    assert told["issues"] == [] and told["calls"] == []


Cells = dict[tuple[int, int], int]


def rules_of(path: Path) -> list[tuple[Cells, Cells]]:
    """Return input and output cells of each rule.

    A rule is a connected piece of a rule map, as Tiled splits it.
    """
    read = pytmx.TiledMap(str(path))
    layers = []
    for name in ("input_ground", "output_ground"):
        data = read.get_layer_by_name(name).data
        layers.append({(x, y): read.tiledgidmap[g] for y, row in enumerate(data) for x, g in enumerate(row) if g})
    left, out = set(layers[0]) | set(layers[1]), []
    while left:
        piece, todo = set(), [min(left)]
        while todo:
            x, y = todo.pop()
            if (x, y) in left:
                left.remove((x, y))
                piece.add((x, y))
                todo += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        out.append(tuple({c: v for c, v in cells.items() if c in piece} for cells in layers))
    return out  # type: ignore[return-value]


def mapped(text: str, *names: str) -> str:
    """Return a map of letters after the rules of the named rule maps."""
    letters = {".": "grass", "f": "floor", "#": "wall", "~": "water", "=": "road", "b": "bridge_plank", "r": "reeds"}
    back = {GROUND[g] + 1: letter for letter, g in letters.items()}
    rows = text.split()
    cells = {(x, y): GROUND[letters[c]] + 1 for y, row in enumerate(rows) for x, c in enumerate(row)}
    for name in names:
        found: Cells = {}
        for given, result in rules_of(RULES / name):
            x0, y0 = min(x for x, _ in given), min(y for _, y in given)
            for bx, by in cells:
                if all(cells.get((bx + x - x0, by + y - y0)) == g for (x, y), g in given.items()):
                    found |= {(bx + x - x0, by + y - y0): g for (x, y), g in result.items()}
        cells |= found
    return "\n".join("".join(back[cells[x, y]] for x in range(len(rows[0]))) for y in range(len(rows)))


def test_the_rules_name_rule_maps_of_our_tiles() -> None:
    names = [line for line in (RULES / "rules.txt").read_text().splitlines() if not line.startswith("#")]
    assert sorted(Path(n).name for n in names) == sorted(p.name for p in RULES.glob("*.tmx"))
    tiles = {int(t.get("id", "-1")) for t in ET.parse(LEVELS / "tilesets" / "ground.tsx").getroot().iter("tile")}
    for name in names:
        rules = rules_of(RULES / name)
        assert len(rules) in (4, 6)
        for given, result in rules:
            assert set(result) <= set(given) and all(g - 1 in tiles for g in (*given.values(), *result.values()))


def test_walls_grow_round_a_floor_and_planks_over_a_river() -> None:
    house = "......\n.ff=..\n.fff..\n......"
    assert mapped(house, "walls.tmx", "corners.tmx") == "###...\n#ff=..\n#fff#.\n#####."
    assert mapped("==~~==\n......\n=~=~~~\n", "bridges.tmx") == "==bb==\n......\n=b=~~~"
    assert mapped("=\n~\n~\n~\n=", "bridges.tmx") == "=\nb\nb\nb\n="
    assert mapped("..~", "reeds.tmx") == ".r~" and mapped("=~", "reeds.tmx") == "=~"
