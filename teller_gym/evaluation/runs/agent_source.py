"""Checksum of an agent's own code and settings, which distinguishes its runs before and after a change.

It covers what Python runs: the code of the agent's class, its bases and the functions, classes and constants that these
name, if they are in the agent's own package or not installed at all; comments and formatting do not matter. Settings
are the attributes named like an argument of the constructor (optionally with a leading underscore) or like an attribute
of the class; an agent may define `settings` itself instead. Values that change during play, such as counters, are left
out.
"""

from __future__ import annotations

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
"""Limit on visited values; no agent has that many."""
_INSTALLED = tuple(
    str(Path(path).resolve())
    for name, path in sysconfig.get_paths().items()
    if name in ("stdlib", "purelib", "platlib")
)


def source_checksum(agent: object) -> str:
    """Return the SHA-256 of an agent, or of a factory of agents, in hexadecimal.

    It is the same in every process of one version of Python. If an agent or factory has a `fingerprint`, a text, only
    that counts.
    """
    named = getattr(agent, "fingerprint", None)
    if isinstance(named, str):
        return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()
    made: Any = agent if isinstance(agent, type | types.FunctionType) else type(agent)
    walk = _Walk(_head(made.__module__))
    walk.value(agent)
    return hashlib.sha256("\n".join(walk.lines).encode("utf-8", "surrogatepass")).hexdigest()


class _Walk:
    """Visits everything once and records it in lines.

    head: the agent's own package, whose code counts even if it is installed.
    """

    def __init__(self, head: str) -> None:
        self._head = head
        self.lines: list[str] = []
        self._seen: dict[int, int] = {}
        self._kept: list[object] = []

    def value(self, value: object) -> None:
        """Record a value and its parts."""
        if isinstance(value, _PLAIN):
            self.lines.append(f"{type(value).__name__} {value!r}")
            return
        if id(value) in self._seen or len(self._seen) > _MOST:
            self.lines.append(f"again {self._seen.get(id(value))}")
            return
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)  # or its id might be reused
        self._of_kind(value)

    def _of_kind(self, value: Any) -> None:
        if isinstance(value, list | tuple):
            self._items(type(value).__name__, enumerate(value))
        elif isinstance(value, set | frozenset):
            self.lines.append(f"set {sorted(map(repr, value))}")
        elif isinstance(value, Mapping):
            self._items("mapping", value.items())
        elif isinstance(value, types.CodeType):
            self._code(value)
        elif isinstance(value, functools.partial):
            self._items("partial", (("func", value.func), ("args", value.args), ("keywords", value.keywords)))
        elif isinstance(value, types.MethodType):
            self._items("method", (("of", value.__self__), ("function", value.__func__)))
        elif isinstance(value, staticmethod | classmethod):
            self.value(value.__func__)
        elif isinstance(value, property):
            self._items("property", (("get", value.fget), ("set", value.fset)))
        elif isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, type):
            self._class(value)
        elif self._is_own(type(value)) or _head(type(value).__module__) == OURS:
            self._instance(value)
        else:
            self.lines.append(f"a {type(value).__module__}.{type(value).__qualname__}")

    def _items(self, kind: str, items: Iterable[tuple[object, object]]) -> None:
        self.lines.append(f"{kind} (")
        for name, value in items:
            self.lines.append(f"{name!r}:" if isinstance(name, _PLAIN) else f"a {type(name).__qualname__}:")
            self.value(value)
        self.lines.append(")")

    def _function(self, function: types.FunctionType) -> None:
        wrapped = inspect.unwrap(function)
        if not self._is_own(function):
            self.lines.append(f"function {function.__module__}.{function.__qualname__}")
            return
        self.value(function.__code__)
        self._items("defaults", (("args", function.__defaults__), ("keywords", function.__kwdefaults__)))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
            self._captured(name, cell)
        if wrapped is not function:
            self.value(wrapped)
        for name in _names(function.__code__):
            if name in function.__globals__:
                self._global(name, function.__globals__[name], _names(function.__code__))

    def _captured(self, name: str, cell: types.CellType) -> None:
        try:
            value = cell.cell_contents
        except ValueError:
            return  # not set yet
        # A list captured by a function usually collects results during play.
        if not isinstance(value, list | set):
            self._items("captured", [(name, value)])

    def _global(self, name: str, value: object, names: tuple[str, ...]) -> None:
        if isinstance(value, types.ModuleType):
            if self._is_own_file(getattr(value, "__file__", None), value.__name__):
                found = [(one, vars(value)[one]) for one in names if one in vars(value)]
                self._items("module", [(one, what) for one, what in found if not isinstance(what, types.ModuleType)])
        elif isinstance(value, list | dict | set) and not name.isupper():
            return  # not a constant
        else:
            self._items("global", [(name, value)])

    def _code(self, code: types.CodeType) -> None:
        self.lines.append(
            f"code {code.co_name} {code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_flags}"
        )
        for constant in code.co_consts:
            self.value(constant)

    def _class(self, cls: type) -> None:
        self.lines.append(f"class {cls.__qualname__} (")
        for base in cls.__mro__:
            if not self._is_own(base):
                self.lines.append(f"base {base.__module__}.{base.__qualname__}")
                continue
            for name, value in sorted(vars(base).items()):
                if name not in _OF_EVERY_CLASS:
                    self._items("attribute", [(name, value)])
        self.lines.append(")")

    def _instance(self, value: object) -> None:
        self.value(type(value))
        self._items("settings", sorted(_settings(value).items()))

    def _is_own(self, value: Any) -> bool:
        """Return True if a class or function is the user's: not from this package, Python or an installed package."""
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
    """Return the arguments that an instance was made with, as far as it has kept them."""
    own = getattr(value, "settings", None)
    if isinstance(own, Mapping):
        return {str(name): one for name, one in own.items()}
    try:
        arguments = list(inspect.signature(type(value)).parameters)
    except (TypeError, ValueError):
        arguments = []
    held = {**getattr(value, "__dict__", {})}
    # Of msgspec's structs, and of classes with slots.
    named = [*getattr(value, "__struct_fields__", ())]
    named += [slot for base in type(value).__mro__ for slot in getattr(base, "__slots__", ())]
    held |= {name: getattr(value, name) for name in named if hasattr(value, name)}
    wanted = {*arguments, *(f"_{name}" for name in arguments)}
    return {name: one for name, one in held.items() if name in wanted or hasattr(type(value), name)}


def _names(code: types.CodeType) -> tuple[str, ...]:
    """Return the names, sorted, that a function's code and the functions within it look up."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= set(_names(constant))
    return tuple(sorted(found))


def _head(module: str | None) -> str:
    return (module or "").partition(".")[0]
