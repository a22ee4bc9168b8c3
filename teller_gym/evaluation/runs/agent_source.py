"""Checksum of an agent's own code and settings, which tells apart its runs before and after a change.

It covers the compiled code of the agent's class, its bases, and the functions, classes and constants that they refer
to, if these are in the agent's own package or not installed; comments and formatting do not matter. Settings are the
attributes named like an argument of the constructor (optionally with a leading underscore) or like an attribute of the
class; an agent may define `settings` itself instead. Values that change during play, such as counters, are left out.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import sys
import sysconfig
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

OURS = "teller_gym"
_PLAIN = (str, bytes, bool, int, float, complex, type(None), type(...))
_MOST = 10_000
"""Maximum number of visited values, far more than an agent has."""
_INSTALLED = tuple(
    str(Path(path).resolve())
    for name, path in sysconfig.get_paths().items()
    if name in ("stdlib", "purelib", "platlib")
)


def source_checksum(agent: object) -> str:
    """Return the hexadecimal SHA-256 of an agent or of an agent factory.

    The checksum is the same in every process of one Python version. If the agent or factory has a string `fingerprint`,
    only that string is hashed.
    """
    named = getattr(agent, "fingerprint", None)
    if isinstance(named, str):
        return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()
    made: Any = agent if isinstance(agent, type | types.FunctionType) else type(agent)
    walk = _Walk(_head(made.__module__))
    walk.value(agent)
    return hashlib.sha256("\n".join(walk.lines).encode("utf-8", "surrogatepass")).hexdigest()


Parts = Iterable[tuple[object, object]]
"""Name and value of each part of an object."""


class _Walk:
    """Visits an object graph once and describes it in lines of text.

    Args:
        head: the agent's own top-level package, whose code is included even if it is installed.
    """

    def __init__(self, head: str) -> None:
        self._head = head
        self.lines: list[str] = []
        self._seen: dict[int, int] = {}
        self._kept: list[object] = []

    def value(self, value: object) -> None:
        """Add lines that describe a value and, recursively, its parts."""
        if isinstance(value, _PLAIN):
            self.lines.append(f"{type(value).__name__} {value!r}")
            return
        if id(value) in self._seen or len(self._seen) > _MOST:
            self.lines.append(f"again {self._seen.get(id(value))}")
            return
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)  # a reference, since the id of a deleted value might be reused
        title, parts = self._described(value)
        self.lines.append(f"{title} (")
        for name, part in parts:
            self.lines.append(f"{name!r}:" if isinstance(name, _PLAIN) else f"a {type(name).__qualname__}:")
            self.value(part)
        self.lines.append(")")

    def _described(self, value: Any) -> tuple[str, Parts]:
        match value:
            case list() | tuple():
                return type(value).__name__, enumerate(value)
            case set() | frozenset():
                return f"set {sorted(map(repr, value))}", ()
            case Mapping():
                return "mapping", value.items()
            case types.CodeType():
                shown = (value.co_name, value.co_code.hex(), value.co_names, value.co_varnames, value.co_flags)
                return f"code {shown}", enumerate(value.co_consts)
            case functools.partial():
                return "partial", {"of": value.func, "args": value.args, "keywords": value.keywords}.items()
            case types.MethodType():
                return "method", {"of": value.__self__, "function": value.__func__}.items()
            case staticmethod() | classmethod():
                return "method", {"function": value.__func__}.items()
            case property():
                return "property", {"get": value.fget, "set": value.fset}.items()
            case types.FunctionType() | type() if not self._is_own(value):
                return f"installed {value.__module__}.{value.__qualname__}", ()
            case types.FunctionType():
                return "function", self._of_function(value)
            case type():
                return f"class {value.__qualname__}", self._of_class(value)
        if self._is_own(type(value)) or _head(type(value).__module__) == OURS:
            return "instance", [("class", type(value)), *sorted(_settings(value).items())]
        return f"a {type(value).__module__}.{type(value).__qualname__}", ()

    def _of_function(self, function: types.FunctionType) -> Parts:
        yield from {"code": function.__code__, "defaults": function.__defaults__}.items()
        yield "keywords", function.__kwdefaults__
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
            with contextlib.suppress(ValueError):  # not set yet
                # A list captured by a function usually collects results during play.
                if not isinstance(cell.cell_contents, list | set):
                    yield name, cell.cell_contents
        if (wrapped := inspect.unwrap(function)) is not function:
            yield "wrapped", wrapped
        names = _names(function.__code__)
        for name in names:
            if name in function.__globals__:
                yield from self._of_global(name, function.__globals__[name], names)

    def _of_global(self, name: str, value: object, names: tuple[str, ...]) -> Parts:
        if isinstance(value, types.ModuleType):
            if self._is_own_file(getattr(value, "__file__", None), value.__name__):
                found = [(one, vars(value)[one]) for one in names if one in vars(value)]
                yield from (pair for pair in found if not isinstance(pair[1], types.ModuleType))
        elif name.isupper() or not isinstance(value, list | dict | set):  # others may change during play
            yield name, value

    def _of_class(self, cls: type) -> Parts:
        for base in cls.__mro__:
            if self._is_own(base):
                yield from (pair for pair in sorted(vars(base).items()) if pair[0] not in _OF_EVERY_CLASS)
            else:
                yield "base", f"{base.__module__}.{base.__qualname__}"

    def _is_own(self, value: Any) -> bool:
        """Return True if a class or function is the user's own.

        It must not be from this or another installed package.
        """
        module = getattr(value, "__module__", None) or ""
        return self._is_own_file(getattr(sys.modules.get(module), "__file__", None), module)

    def _is_own_file(self, file: str | None, module: str) -> bool:
        head = _head(module)
        if head in (OURS, "builtins") or head in sys.stdlib_module_names:
            return False
        return head == self._head or file is None or not str(Path(file).resolve()).startswith(_INSTALLED)


_OF_EVERY_CLASS = frozenset(
    {
        "__module__", "__doc__", "__dict__", "__weakref__", "__qualname__", "__firstlineno__", "__static_attributes__",
        "__annotations__", "__abstractmethods__", "_abc_impl", "__parameters__", "__orig_bases__", "__match_args__",
        "__dataclass_fields__", "__dataclass_params__", "__hash__", "__slots__",
    }
)  # fmt: skip


def _settings(value: object) -> dict[str, Any]:
    """Return an instance's settings, which are constructor arguments stored as attributes."""
    own = getattr(value, "settings", None)
    if isinstance(own, Mapping):
        return {str(name): one for name, one in own.items()}
    try:
        arguments = list(inspect.signature(type(value)).parameters)
    except (TypeError, ValueError):
        arguments = []
    held = {**getattr(value, "__dict__", {})}
    # Fields of msgspec structs and of classes with slots.
    named = [*getattr(value, "__struct_fields__", ())]
    named += [slot for base in type(value).__mro__ for slot in getattr(base, "__slots__", ())]
    held |= {name: getattr(value, name) for name in named if hasattr(value, name)}
    wanted = {*arguments, *(f"_{name}" for name in arguments)}
    return {name: one for name, one in held.items() if name in wanted or hasattr(type(value), name)}


def _names(code: types.CodeType) -> tuple[str, ...]:
    """Return the sorted names that a function and its nested functions look up."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= set(_names(constant))
    return tuple(sorted(found))


def _head(module: str | None) -> str:
    return (module or "").partition(".")[0]
