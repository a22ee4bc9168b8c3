"""Reading the catalogue: a YAML file for each subject becomes tools.

``financial/bookkeeping.yaml`` holds the entries, ``bookkeeping_tables.yaml`` beside it the tables that they read, and
``bookkeeping.py`` the functions that only they call. Tables, functions and expressions are read at a tool's first call.
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
from teller_gym.scenarios.distractors.behaviour import Behaviour
from teller_gym.scenarios.distractors.entry import Entry
from teller_gym.scenarios.distractors.notation import parameter
from teller_gym.scenarios.distractors.vocabulary import FUNCTIONS, exactly
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, Tool

PACKAGE: Final = "teller_gym.scenarios.distractors"
CATEGORIES: Final = {"financial": Category.FINANCIAL_DISTRACTOR, "general": Category.GENERAL_DISTRACTOR}
"""The category of the tools in each folder."""

_TABLES: Final = "_tables"
_FIELD: Final = re.compile("[a-z][a-z0-9_]*")


def subjects() -> list[Subject]:
    """Return the subjects of the catalogue by folder and name."""
    return [Subject(folder, name) for folder in CATEGORIES for name in _names(resources.files(f"{PACKAGE}.{folder}"))]


class Subject:
    """The tools of one file.

    Args:
        folder: ``financial`` or ``general``.
        name: The file's name without its ending.
    """

    def __init__(self, folder: str, name: str) -> None:
        self.folder = folder
        self.name = name

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The entries by the tools' names.

        Raises:
            ScenarioError: If an entry lacks something, or holds something unknown.
        """
        entries = {}
        for tool, written in _read(self._file(self.name)).items():
            try:
                entries[tool] = msgspec.convert(written, Entry, str_keys=True)
            except msgspec.ValidationError as error:
                raise ScenarioError(f"{self.folder}/{self.name}.yaml: {tool}: {error}") from None
        return entries

    @cached_property
    def tables(self) -> Mapping[str, Any]:
        """The tables by name."""
        file = self._file(self.name + _TABLES)
        tables: dict[str, Any] = exactly(_read(file)) if file.is_file() else {}
        return tables

    @cached_property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """The functions of the vocabulary and those of the subject's own module."""
        if not resources.files(f"{PACKAGE}.{self.folder}").joinpath(f"{self.name}.py").is_file():
            return FUNCTIONS
        module = import_module(f"{PACKAGE}.{self.folder}.{self.name}")
        own = {name: value for name, value in vars(module).items() if isfunction(value) and name[0] != "_"}
        return FUNCTIONS | {name: value for name, value in own.items() if value.__module__ == module.__name__}

    def behaviour(self, tool: str) -> Behaviour:
        """Return everything that a tool does on a call; raises ScenarioError for an entry that cannot work."""
        return Behaviour(tool, self.entries[tool], self.tables, self.functions)

    def tools(self) -> Iterator[Tool]:
        """Yield the tools."""
        for name, entry in self.entries.items():
            fields = [parameter(name, each, written) for each, written in entry.parameters.items()]
            result_type = _result_type(name, entry)
            function = _Function(self, name, result_type)
            description = " ".join(entry.description.split())
            category = CATEGORIES[self.folder]
            yield Tool(name, function, description, fields, result_type, act=entry.act, category=category)

    def _file(self, stem: str) -> Traversable:
        return resources.files(f"{PACKAGE}.{self.folder}").joinpath(f"{stem}.yaml")


class _Function:
    """A tool's function of bank and arguments, which reads the entry's expressions at the first call."""

    def __init__(self, subject: Subject, tool: str, result_type: type[Result]) -> None:
        self._subject = subject
        self._tool = tool
        self._result_type = result_type

    @cached_property
    def _behaviour(self) -> Behaviour:
        return self._subject.behaviour(self._tool)

    def __call__(self, bank: Bank, *values: Any) -> Result:
        return self._result_type(**self._behaviour.answer(bank, *values))


def _result_type(tool: str, entry: Entry) -> type[Result]:
    """Return the type of a tool's answers, in which rows name their fields."""
    fields: list[tuple[str, Any]] = []
    for name, source in entry.result.items():
        keys = _row_fields(entry, source)
        odd = [field for field in (name, *keys) if not _FIELD.fullmatch(field)]
        if odd:
            raise ScenarioError(f"{tool}.result: expected fields in lower_snake_case, got {', '.join(odd)}")
        row: Any = msgspec.defstruct(f"{tool}_{name}", [(key, Any) for key in keys]) if keys else None
        fields.append((name, list[row] if keys else Any))
    return cast(type[Result], msgspec.defstruct(f"{tool}_result", fields, bases=(Result,), kw_only=True, gc=False))


def _row_fields(entry: Entry, source: Any) -> list[str]:
    """Return the names of the fields in the rows of an output, as far as the entry shows them."""
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


def _names(folder: Traversable) -> list[str]:
    """Return the names of the subjects in a folder; a file of tables has the name of its subject before ``_tables``."""
    stems = {file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml")}
    return sorted(stems - {stem + _TABLES for stem in stems})


class _Loader(yaml.CSafeLoader):
    """Reads YAML without the surprises of version 1.1: ``no``, ``off``, ``8:30`` and ``036`` are texts."""


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
