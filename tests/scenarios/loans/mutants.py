"""Mutants of a module: copies in which one comparison is turned."""

import ast
import importlib
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FLIPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
"""Orders lose or gain the case of equality: the smallest slip there is. The others turn round."""

NEGATIONS: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}


class Mutant(NamedTuple):
    """A changed copy of a module. ``place`` says where and how it was changed, and does not depend on line numbers."""

    place: str
    module: types.ModuleType


def mutants(name: str, flips: dict[type[ast.cmpop], type[ast.cmpop]]) -> Iterator[Mutant]:
    """Yield a mutant of a module for every comparison that ``flips`` knows."""
    original = importlib.import_module(name)
    path = Path(str(original.__file__))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {
        node: outer.name for outer in ast.walk(tree) if isinstance(outer, ast.FunctionDef) for node in ast.walk(outer)
    }
    for node in [node for node in ast.walk(tree) if isinstance(node, ast.Compare)]:
        for index, operator in enumerate(node.ops):
            if type(operator) not in flips:
                continue
            before = ast.unparse(node)
            node.ops[index] = flips[type(operator)]()
            place = f"{name.rpartition('.')[2]}.{functions.get(node, '')}: {before}  ->  {ast.unparse(node)}"
            yield Mutant(place, run(tree, name, path))
            node.ops[index] = operator


def run(tree: ast.Module, name: str, path: Path) -> types.ModuleType:
    """Run a syntax tree as a module that is not registered anywhere."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    exec(compile(tree, str(path), "exec"), module.__dict__)
    return module


def rerun(name: str, replaced: dict[str, Any]) -> types.ModuleType:
    """Run a module anew, with some of its imported names replaced."""
    original = importlib.import_module(name)
    path = Path(str(original.__file__))
    module = run(ast.parse(path.read_text(encoding="utf-8")), name, path)
    module.__dict__.update({key: value for key, value in replaced.items() if key in module.__dict__})
    return module
