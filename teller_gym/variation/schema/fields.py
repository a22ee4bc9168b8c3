"""Conversion of result fields between the original and a shifted schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import msgspec

from teller_gym.tools.tool import Tool
from teller_gym.variation.results import rename_fields, snake
from teller_gym.variation.schema.naming import Naming

_encode = msgspec.json.Encoder().encode

Rows = Mapping[str, tuple[str, ...]]
"""Names of the fields in untyped rows, by output."""


@cache
def _typed_names(tool: Tool) -> tuple[str, ...]:
    definitions = msgspec.json.schema(tool.result_type)["$defs"].values()
    nested = (name for definition in definitions for name in definition.get("properties", ()))
    return (*tool.outputs, *nested)


def result_names(tool: Tool, rows: Rows) -> tuple[str, ...]:
    """Return the names of a tool's outputs and of the known fields of their rows."""
    untyped = (name for output in tool.outputs for name in rows.get(output, ()))
    return tuple(dict.fromkeys((*_typed_names(tool), *untyped)))


class FieldNames:
    """Converts names of result fields to a shifted schema and back.

    Fields of untyped rows that are not in ``rows`` keep their names, because a new name could not be converted back.
    """

    def __init__(self, tools: Mapping[str, Tool], naming: Naming, rows: Rows) -> None:
        self._tools = tools
        self._naming = naming
        self._rows = rows
        self._known: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    def new(self, tool: str, name: str) -> str:
        """Return a field's name in the shifted schema."""
        return self._of(tool)[0].get(name, name)

    def old(self, tool: str, shown: str) -> str:
        """Return a field's original name, given its shown name in any naming style."""
        return self._of(tool)[1].get(snake(shown), shown)

    def rewrite(self, result: str, new: Callable[[str], str]) -> str:
        """Rename the fields in the JSON of a result."""
        return _encode(rename_fields(msgspec.json.decode(result), new)).decode()

    def _of(self, tool: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return the conversions of a tool's field names to the shifted schema and back."""
        if tool not in self._known:
            names = result_names(self._tools[tool], self._rows) if tool in self._tools else ()
            there = {name: self._naming.of_parameter(name) for name in names}
            self._known[tool] = there, {snake(new): name for name, new in there.items()}
        return self._known[tool]
