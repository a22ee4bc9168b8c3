"""A subject of a catalogue: a YAML file whose entries become tools.

``bookkeeping.yaml`` has the entries, ``bookkeeping_tables.yaml`` in the same folder the tables that they read, and
``bookkeeping.py`` functions for this subject only. Expressions are compiled at a tool's first call.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from inspect import isfunction
from typing import Any, Final, cast

import msgspec
import yaml

from teller_gym.base.errors import ScenarioError
from teller_gym.tools.bank import Bank
from teller_gym.tools.catalogue.behaviour import Behaviour
from teller_gym.tools.catalogue.entry import Entry
from teller_gym.tools.catalogue.notation import parameter
from teller_gym.tools.catalogue.vocabulary import FUNCTIONS, exactly
from teller_gym.tools.tool import Category, Result, Tool

_TABLES: Final = "_tables"
_FIELD: Final = re.compile("[a-z][a-z0-9_]*")


class Subject:
    """The tools of one YAML file.

    Args:
        package: The package whose folder contains the file.
        name: The file's name without its ending.
        category: The category of its tools.
        shared: A subject to inherit from: an entry without a result takes its missing parts from the entry of the same
            name there.
        types: Types that parameters may name.
        functions: Functions that expressions may call besides those of the vocabulary and the subject's own module.
        exact: False if the tools work on the bank's records as they are; see :class:`Behaviour`.
    """

    def __init__(
        self,
        package: str,
        name: str,
        category: Category,
        *,
        shared: Subject | None = None,
        types: Mapping[str, Any] | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        exact: bool = True,
    ) -> None:
        self.package = package
        self.name = name
        self._category = category
        self._shared = shared
        self._types = types or {}
        self._functions = functions or {}
        self._exact = exact

    @cached_property
    def _written(self) -> dict[str, Any]:
        """The entries as parsed YAML, with inherited parts."""
        written = _read(self._file(self.name))
        shared = {} if self._shared is None else self._shared._written
        return {tool: _merged(shared.get(tool), entry) for tool, entry in written.items()}

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The entries by the tools' names; raises ``ScenarioError`` for missing or unknown parts."""
        entries = {}
        for tool, written in self._written.items():
            try:
                entries[tool] = msgspec.convert(written, Entry, str_keys=True)
            except msgspec.ValidationError as error:
                raise ScenarioError(f"{self.package}, {self.name}.yaml: {tool}: {error}") from None
        return entries

    @cached_property
    def tables(self) -> Mapping[str, Any]:
        """The tables by name, inherited ones included."""
        file = self._file(self.name + _TABLES)
        tables: dict[str, Any] = _read(file) if file.is_file() else {}
        shared = {} if self._shared is None else self._shared.tables
        return {**shared, **(exactly(tables) if self._exact else tables)}

    @cached_property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """The functions that expressions may call, by name."""
        known = FUNCTIONS | dict(self._functions)
        if not resources.files(self.package).joinpath(f"{self.name}.py").is_file():
            return known
        module = import_module(f"{self.package}.{self.name}")
        own = {name: value for name, value in vars(module).items() if isfunction(value) and name[0] != "_"}
        return known | {name: value for name, value in own.items() if value.__module__ == module.__name__}

    def behaviour(self, tool: str) -> Behaviour:
        """Compile a tool's behaviour; raises ScenarioError for an invalid entry."""
        return Behaviour(tool, self.entries[tool], self.tables, self.functions, exact=self._exact)

    def tools(self) -> Iterator[Tool]:
        types = {**self._types, **({} if self._exact else self.tables)}
        for name, entry in self.entries.items():
            fields = [parameter(name, each, written, types) for each, written in entry.parameters.items()]
            result_type = _result_type(name, entry, rows=self._exact)
            function = _Function(self, name, result_type)
            description = " ".join(entry.description.split())
            yield Tool(name, function, description, fields, result_type, act=entry.act, category=self._category)

    def _file(self, stem: str) -> Traversable:
        return resources.files(self.package).joinpath(f"{stem}.yaml")


def _merged(shared: Any, own: Any) -> Any:
    """Return an entry with its own parts in place of shared ones; an entry with its own result inherits nothing."""
    if own is None:
        return shared
    if not (isinstance(shared, dict) and isinstance(own, dict)) or "result" in own:
        return own
    return {**shared, **{part: _merged(shared.get(part), value) for part, value in own.items()}}


class _Function:
    """A tool's function of bank and arguments, which compiles the entry's expressions at the first call."""

    def __init__(self, subject: Subject, tool: str, result_type: type[Result]) -> None:
        self._subject = subject
        self._tool = tool
        self._result_type = result_type

    @cached_property
    def _behaviour(self) -> Behaviour:
        return self._subject.behaviour(self._tool)

    def __call__(self, bank: Bank, *values: Any) -> Result:
        return self._result_type(**self._behaviour.answer(bank, *values))


def _result_type(tool: str, entry: Entry, *, rows: bool) -> type[Result]:
    """Return the type of a tool's results; if ``rows``, it declares the fields of the rows in its lists."""
    fields: list[tuple[str, Any]] = []
    for name, source in entry.result.items():
        keys = _row_fields(entry, source) if rows else []
        odd = [field for field in (name, *keys) if not _FIELD.fullmatch(field)]
        if odd:
            raise ScenarioError(f"{tool}.result: expected fields in lower_snake_case, got {', '.join(odd)}")
        row: Any = msgspec.defstruct(f"{tool}_{name}", [(key, Any) for key in keys]) if keys else None
        fields.append((name, list[row] if keys else Any))
    return cast(type[Result], msgspec.defstruct(f"{tool}_result", fields, bases=(Result,), kw_only=True, gc=False))


def _row_fields(entry: Entry, source: Any) -> list[str]:
    """Return the field names of an output's rows, if they can be read from the entry."""
    if source == "shown" and entry.listing:
        return list(entry.listing.show)
    written = entry.steps.get(source, source) if isinstance(source, str) else source
    if not isinstance(written, str) or "{" not in written:
        return []
    try:
        tree = ast.parse(written.strip(), mode="eval").body
    except SyntaxError:
        return []  # reported when the expression is compiled
    row = tree.elt if isinstance(tree, ast.ListComp) else tree
    return [str(key.value) for key in row.keys if isinstance(key, ast.Constant)] if isinstance(row, ast.Dict) else []


def subject_names(package: str) -> list[str]:
    """Return the names of the subjects in a package: its YAML files except those with tables."""
    files = (file.name for file in resources.files(package).iterdir())
    stems = {name.removesuffix(".yaml") for name in files if name.endswith(".yaml")}
    return sorted(stems - {stem + _TABLES for stem in stems})


class _Loader(yaml.CSafeLoader):
    """YAML loader without the surprises of version 1.1: ``no``, ``off``, ``8:30`` and ``036`` are texts."""


_Loader.yaml_implicit_resolvers = {}
for _tag, _form, _starts in (
    ("bool", r"true|false", "tf"),
    ("int", r"-?(?:0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?[0-9]+\.[0-9]+(?:e-?[0-9]+)?", "-0123456789"),
    ("null", r"~|null|", ["~", "n", ""]),
    ("timestamp", r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "0123456789"),
    ("merge", r"<<", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_form})$"), list(_starts))


def _read(file: Traversable) -> dict[str, Any]:
    try:
        content: dict[str, Any] = yaml.load(file.read_bytes(), _Loader)
    except yaml.YAMLError as error:
        raise ScenarioError(f"{file.name}: {error}") from None
    return content
