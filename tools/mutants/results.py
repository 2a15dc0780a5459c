"""Results of mutants: one row for each technique, in a file.

A later run goes on with it.
A row is known by a digest of its code, its test and its exhibit. When one of them changes, its results are dropped.
"""

from __future__ import annotations

import ast
import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ai.core.register import Technique, descriptor, scan
from tools.mutants.mutations import mutants
from tools.mutants.trial import ALIVE, EXHIBIT, TEST, TIME


@dataclass
class Result:
    """Outcomes of the mutants of one technique."""

    slug: str
    area: str
    digest: str
    made: int
    """Mutants that the deciding functions have; ``run`` of them have an outcome."""
    outcomes: dict[str, str] = field(default_factory=dict)

    def count(self, *outcomes: str) -> int:
        """Return how many mutants have one of these outcomes."""
        return sum(o in outcomes for o in self.outcomes.values())


def area_of(module: str) -> str:
    """Return the package of a module in ``ai``, else its first two folders."""
    first, second, *_ = module.split("/")
    return second if first == "ai" else f"{first}/{second}"


def digest_of(root: Path, row: Technique) -> str:
    """Return the digest of a row's code, test and exhibit.

    Docstrings, comments and descriptors of the module do not count.
    """
    tree = ast.parse((root / row.module).read_text(encoding="utf-8"))
    tree.body = [s for s in tree.body if not descriptor(s)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    digest = hashlib.blake2b(repr((ast.dump(tree), row.functions)).encode(), digest_size=10)
    for name in filter(None, (row.test, row.exhibit, row.level)):
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def load(path: Path) -> dict[str, Result]:
    """Return the results of a file by slug; none when there is no file."""
    if not path.is_file():
        return {}
    return {r["slug"]: Result(**_read(r)) for r in json.loads(path.read_text(encoding="utf-8"))["rows"]}


def refreshed(root: Path, results: dict[str, Result]) -> dict[str, Result]:
    """Return a result of every row.

    A row whose code, test or exhibit has changed has no outcomes, nor has one that never ran.
    """
    found = {}
    for row in scan(root):
        digest, known = digest_of(root, row), results.get(row.slug)
        made = mutants((root / row.module).read_text(encoding="utf-8"), row.functions)
        same = known is not None and known.digest == digest
        names = {m.name for m in made}
        outcomes = {n: o for n, o in known.outcomes.items() if n in names} if known is not None and same else {}
        found[row.slug] = Result(row.slug, area_of(row.module), digest, len(made), outcomes)
    return found


def joined(results: dict[str, Result], others: dict[str, Result]) -> int:
    """Add outcomes of other results that have the same digest; return how many."""
    taken = 0
    for slug, other in others.items():
        if slug in results and results[slug].digest == other.digest:
            taken += len(other.outcomes)
            results[slug].outcomes |= other.outcomes
    return taken


def _read(row: dict) -> dict:
    outcomes = {name: outcome for outcome in (TEST, EXHIBIT, TIME, ALIVE) for name in row[outcome]}
    return {key: row[key] for key in ("slug", "area", "digest", "made")} | {"outcomes": outcomes}


def save(path: Path, results: dict[str, Result], same: dict[str, str]) -> None:
    """Write the results and the figures by area, whole or not at all."""
    rows = []
    for slug in sorted(results):
        result = results[slug]
        row = asdict(result)
        del row["outcomes"]
        for outcome in (ALIVE, TEST, EXHIBIT, TIME):
            row[outcome] = sorted(n for n, o in result.outcomes.items() if o == outcome)
        rows.append(row)
    part = path.with_suffix(".part")
    text = json.dumps({"areas": areas(results, same), "rows": rows}, indent=1, ensure_ascii=False)
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(path)


def equivalents(path: Path) -> dict[str, str]:
    """Return the reviewed equivalent mutants: ``SLUG: NAME`` and the reason.

    ValueError in one line when an entry has no reason.
    """
    found = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", []):
        if not entry.get("reason"):
            raise ValueError(f"{path}: {entry.get('mutant')}: has no reason; say why it decides the same")
        found[f"{entry['slug']}: {entry['mutant']}"] = entry["reason"]
    return found


def alive(result: Result, same: dict[str, str]) -> list[str]:
    """Return the mutants that nothing stopped and that are not equivalent."""
    names = (n for n, o in result.outcomes.items() if o == ALIVE)
    return sorted(n for n in names if f"{result.slug}: {n}" not in same)


def constant_returns(result: Result, same: dict[str, str]) -> list[str]:
    """Return the survivors that put a constant in the place of a decision."""
    return [n for n in alive(result, same) if ": constant return: " in n]


def areas(results: dict[str, Result], same: dict[str, str]) -> list[dict]:
    """Return the figures of each area.

    The share killed is that of the mutants run, without equivalent ones.
    """
    rows = []
    for area in sorted({r.area for r in results.values()}):
        of_area = [r for r in results.values() if r.area == area]
        left = sum(len(alive(r, same)) for r in of_area)
        killed = sum(r.count(TEST, EXHIBIT, TIME) for r in of_area)
        rows.append(
            {
                "area": area,
                "techniques": len(of_area),
                "judged": sum(bool(r.outcomes) for r in of_area),
                "made": sum(r.made for r in of_area),
                "run": sum(len(r.outcomes) for r in of_area),
                "by_test": sum(r.count(TEST) for r in of_area),
                "by_exhibit": sum(r.count(EXHIBIT) for r in of_area),
                "by_time": sum(r.count(TIME) for r in of_area),
                "alive": left,
                "constant_alive": sum(len(constant_returns(r, same)) for r in of_area),
                "killed": round(killed / (killed + left), 3) if killed + left else 0.0,
            }
        )
    return rows
