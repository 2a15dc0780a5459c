"""Mutations of a function: small wrong programs made from its syntax tree.

Each is one edit of the source text, so the rest of a module stays as it is. A mutant is named by its function, its
kind, the text that it replaces and a count of equal ones, never by a line: edits elsewhere in the file keep its name.
Descriptors, docstrings, annotations, decorators, texts, messages of errors and assertions stay untouched.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("constant return", "comparison", "sign", "dropped statement", "off by one", "swapped arguments", "ten percent")
"""Kinds of mutants.

A sample takes them in turn; constant returns always belong to it.
"""

_COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_SIGNS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/"}
_RETURNED = {
    "bool": ("True", "False"), "int": ("0",), "float": ("0.0",), "str": ("''",), "list": ("[]",), "dict": ("{}",),
    "set": ("set()",), "frozenset": ("frozenset()",), "None": ("",), "Iterator": ("iter(())",), "Iterable": ("()",),
    "Sequence": ("()",),
}  # fmt: skip
"""Values that take the place of a body, by the name of its annotation."""

_EITHER_WAY = (
    "isinstance", "zip", "min", "max", "math.hypot", "np.minimum", "np.maximum", "np.hypot", "np.zeros", "np.ones",
    "np.empty", "np.full", "np.asarray", "np.array", "np.clip",
)  # fmt: skip
"""Calls whose first two arguments are not swapped.

They mean the same in either order, or are of different types.
"""


@dataclass(frozen=True)
class Mutant:
    """Edit of a module: the text from ``start`` to ``end`` becomes ``text``."""

    name: str
    kind: str
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """Return the source of the wrong program."""
        return source[: self.start] + self.text + source[self.end :]

    @property
    def function(self) -> str:
        """Function or constant that is changed."""
        return self.name.split(":")[0]


class _Module:
    """Source text of a module with the offsets of its nodes."""

    def __init__(self, source: str) -> None:
        self.source, self.tree = source, ast.parse(source)
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return the first offset of a node and the one behind it."""
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        start, end = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        return self._offset(first, start), self._offset(last, end)

    def _offset(self, line: int, column: int) -> int:
        """Return the offset of a place; the tree counts columns in bytes."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def text(self, node: ast.AST) -> str:
        """Return the source of a node on one line."""
        start, end = self.span(node)
        return " ".join(self.source[start:end].split())


Edit = tuple[str, ast.AST, str]


def mutants(source: str, functions: tuple[str, ...]) -> list[Mutant]:
    """Return all mutants of some functions, and of the numbers that they read.

    A class stands for all its methods.
    """
    module = _Module(source)
    made: list[Mutant] = []
    seen: Counter[str] = Counter()
    for owner, node in _chosen(module.tree, functions):
        for kind, at, text in _edits(module, node):
            shown = module.text(at) if kind != "constant return" else ""
            name = f"{owner}: {kind}: " + (f"{shown[:70]} -> {text[:70] or 'dropped'}" if shown else text.strip())
            seen[name] += 1
            count = f" #{seen[name]}" if seen[name] > 1 else ""
            start, end = module.span(at)
            made.append(Mutant(name + count, kind, start, end, text or "pass"))
    return made


def sample(made: list[Mutant], most: int) -> list[Mutant]:
    """Return about so many mutants: all constant returns, then the other kinds in turn.

    Each turn goes to the function that was drawn from least, and there to the smallest digest of a name. A smaller
    sample is the beginning of a larger one.
    """
    drawn = [m for m in made if m.kind == KINDS[0]]
    left = sorted((m for m in made if m.kind != KINDS[0]), key=_lot)
    taken: Counter[str] = Counter()
    while left and len(drawn) < most:
        for kind in KINDS[1:]:
            of_kind = [m for m in left if m.kind == kind]
            if of_kind and len(drawn) < most:
                following = min(of_kind, key=lambda m: taken[m.function])
                taken[following.function] += 1
                drawn.append(following)
                left.remove(following)
    names = {m.name for m in drawn}
    return [m for m in made if m.name in names]


def _lot(mutant: Mutant) -> bytes:
    return hashlib.blake2b(mutant.name.encode(), digest_size=8).digest()


def _chosen(tree: ast.Module, functions: tuple[str, ...]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield functions and methods with these names, and the numbers that they read."""
    read: set[str] = set()
    for top in tree.body:
        if isinstance(top, ast.FunctionDef) and top.name in functions:
            read |= _names(top)
            yield top.name, top
        elif isinstance(top, ast.ClassDef):
            for method in top.body:
                name = f"{top.name}.{getattr(method, 'name', '')}"
                if isinstance(method, ast.FunctionDef) and (top.name in functions or name in functions):
                    read |= _names(method)
                    yield name, method
    for top in tree.body:
        if isinstance(top, ast.Assign | ast.AnnAssign) and top.value is not None:
            targets = top.targets if isinstance(top, ast.Assign) else [top.target]
            names = {t.id for t in targets if isinstance(t, ast.Name)}
            if names & read and _number(top.value) is not None:
                yield " ".join(sorted(names)), top


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _number(node: ast.AST) -> int | float | None:
    """Return the number that a literal stands for."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]
    return None


def _edits(module: _Module, node: ast.stmt) -> Iterator[Edit]:
    """Yield the edits of one function or of one constant."""
    if not isinstance(node, ast.FunctionDef):
        yield from _expression(module, node.value)  # type: ignore[attr-defined]
        return
    yield from _constant_return(node)
    if node.returns is not None and ast.unparse(node.returns) == "np.ndarray":
        for inner in ast.walk(node):
            if isinstance(inner, ast.Return) and inner.value is not None and "np.zeros" not in module.text(inner.value):
                yield "constant return", inner, f"return np.zeros_like({module.text(inner.value)})"
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    for statement in body:
        yield from _statement(module, statement)


def _constant_return(node: ast.FunctionDef) -> Iterator[Edit]:
    """Yield a return before the body, for each value that the annotation admits."""
    returns = node.returns
    if returns is None:
        return
    shown = ast.unparse(returns).strip("'\"")
    values = _RETURNED.get(shown.split("[")[0], ())
    if "None" in shown.split(" | ")[1:]:
        values = ("None",)
    elif shown.startswith("tuple["):
        inner = [ast.unparse(e) for e in getattr(getattr(returns, "slice", None), "elts", [])]
        simple = [_RETURNED[e][-1] for e in inner if e in ("bool", "int", "float", "str")]
        values = ("()",) if inner[-1:] == ["..."] else (f"({', '.join(simple)},)",) if len(simple) == len(inner) else ()
    docstring = ast.get_docstring(node, clean=False) is not None
    first = node.body[1] if docstring and len(node.body) > 1 else node.body[0]
    if isinstance(first, ast.Return) and first.value is not None and ast.unparse(first.value) in values:
        return
    yields = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node))
    for value in values:
        text = "return" if yields or not value else f"return {value}"
        # The rest stays below, unreached: so a generator stays one, and names stay local.
        anchor = ast.Pass(
            lineno=first.lineno, col_offset=first.col_offset, end_lineno=first.lineno, end_col_offset=first.col_offset
        )
        yield "constant return", anchor, f"{text}\n{' ' * first.col_offset}"


def _statement(module: _Module, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits of a statement and of all below it."""
    if isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.JoinedStr):
        return
    if isinstance(node, ast.stmt) and _droppable(node):
        yield "dropped statement", node, ""
    if isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield from _statement(module, node.value)
        return
    if isinstance(node, ast.AugAssign) and type(node.op) in _SIGNS:
        target, value = module.text(node.target), module.text(node.value)
        yield "sign", node, f"{target} {_SIGNS[type(node.op)]}= {value}"
    if isinstance(node, ast.expr):
        yield from _expression(module, node)
    if isinstance(node, ast.FunctionDef | ast.arguments):
        children: list[ast.AST] = list(getattr(node, "body", []))
    else:
        children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _statement(module, child)


def _droppable(node: ast.stmt) -> bool:
    """Return whether a module without this statement still binds all its names."""
    if isinstance(node, ast.Assign):
        return all(isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets)
    if isinstance(node, ast.If):
        return not node.orelse and isinstance(node.body[-1], ast.Return | ast.Continue | ast.Break | ast.Raise)
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, ast.AugAssign | ast.Continue | ast.Break | ast.Expr) and not text


def _expression(module: _Module, node: ast.expr) -> Iterator[Edit]:
    """Yield the edits of one expression, without those of its parts."""
    number = _number(node)
    if number is not None:
        if isinstance(number, int):
            yield "off by one", node, str(number + 1)
        if abs(number) >= 10 or (isinstance(number, float) and number):
            yield "ten percent", node, repr(number * 11 // 10 if isinstance(number, int) else number * 1.1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        kind = "sign" if isinstance(node.op, ast.USub) else "comparison"
        yield kind, node, f"({module.text(node.operand)})"
    elif isinstance(node, ast.BinOp) and type(node.op) in _SIGNS and not isinstance(node.left, ast.Constant | ast.List):
        left, right = module.text(node.left), module.text(node.right)
        yield "sign", node, f"(({left}) {_SIGNS[type(node.op)]} ({right}))"
    elif isinstance(node, ast.Compare):
        parts = [module.text(part) for part in (node.left, *node.comparators)]
        signs = [_sign_text(op) for op in node.ops]
        for k, op in enumerate(node.ops):
            other = [*signs[:k], _COMPARED[type(op)], *signs[k + 1 :]]
            joined = " ".join(f"{sign} ({part})" for sign, part in zip(other, parts[1:], strict=True))
            yield "comparison", node, f"(({parts[0]}) {joined})"
    elif isinstance(node, ast.BoolOp):
        word = "or" if isinstance(node.op, ast.And) else "and"
        yield "comparison", node, "(" + f" {word} ".join(f"({module.text(v)})" for v in node.values) + ")"
    elif isinstance(node, ast.Call) and len(node.args) > 1 and not node.keywords:
        shown = [module.text(a) for a in node.args]
        if shown[0] != shown[1] and ast.unparse(node.func) not in _EITHER_WAY:
            yield "swapped arguments", node, f"{module.text(node.func)}({', '.join([shown[1], shown[0], *shown[2:]])})"


def _sign_text(op: ast.cmpop) -> str:
    """Return a comparison as it is written."""
    return ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[2:-2]
