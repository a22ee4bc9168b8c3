"""Mutants of a module, each with one comparison changed, and fresh copies of the modules that import it."""

import ast
import importlib
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

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
"""Orders gain or lose the case of equality, which is the smallest possible slip; the others are negated."""

NEGATIONS: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}

Modules = Mapping[str, types.ModuleType]
"""Copies of modules, by the names of the modules that they replace."""


class Mutant(NamedTuple):
    """A changed copy of a module; ``place`` describes the change without line numbers."""

    place: str
    code: types.CodeType


def mutants(name: str, flips: dict[type[ast.cmpop], type[ast.cmpop]]) -> Iterator[Mutant]:
    """Yield a mutant of a module for every comparison whose operator is in ``flips``."""
    path = _path(name)
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
            yield Mutant(place, compile(tree, str(path), "exec"))
            node.ops[index] = operator


@cache
def unchanged(name: str) -> types.CodeType:
    path = _path(name)
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


def copies(name: str, code: types.CodeType, roots: Iterable[str]) -> dict[str, types.ModuleType]:
    """Run code as a module, and fresh copies of the modules that depend on it.

    Args:
        name: the module that the code replaces.
        code: the module's own code or a mutant's.
        roots: modules to copy if they import ``name``, directly or through other scenario modules.
    """
    made: dict[str, types.ModuleType] = {}
    for built in (name, *_on_top_of(name, tuple(roots))):
        with _standing(made):
            made[built] = _run(built, code if built == name else unchanged(built))
    return made


@cache
def _on_top_of(name: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    """Return the modules through which the roots import a module, in import order."""
    imported: dict[str, set[str]] = {}
    waiting = list(roots)
    while waiting:
        module = waiting.pop()
        if module not in imported:
            imported[module] = _imports(module)
            waiting += sorted(imported[module])
    order = list(TopologicalSorter(imported).static_order())
    touched = {name}
    for module in order:
        if touched & imported[module]:
            touched.add(module)
    return tuple(module for module in order if module in touched and module != name)


def _imports(name: str) -> set[str]:
    """Return the scenario modules that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(_path(name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {one for one in found if ".scenarios." in one and isinstance(sys.modules.get(one), types.ModuleType)}


def _path(name: str) -> Path:
    return Path(str(importlib.import_module(name).__file__))


def _run(name: str, code: types.CodeType) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__file__ = code.co_filename
    module.__package__ = importlib.import_module(name).__package__
    exec(code, module.__dict__)
    return module


@contextmanager
def _standing(modules: Modules) -> Iterator[None]:
    """Replace modules by copies while the context is active."""
    before = {name: sys.modules[name] for name in modules}
    try:
        _put(modules)
        yield
    finally:
        _put(before)


def _put(modules: Modules) -> None:
    for name, module in modules.items():
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        setattr(sys.modules[parent], last, module)
