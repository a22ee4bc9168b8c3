"""Names of result fields under a shifted schema, in both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import msgspec

from teller_gym.tools.tool import Tool
from teller_gym.variation.results import rename_fields, snake
from teller_gym.variation.schema.naming import Naming

_encode = msgspec.json.Encoder().encode

Rows = Mapping[str, tuple[str, ...]]
"""Fields of rows that have no type, by the output that holds them."""


@cache
def _typed_names(tool: Tool) -> tuple[str, ...]:
    definitions = msgspec.json.schema(tool.result_type)["$defs"].values()
    nested = (name for definition in definitions for name in definition.get("properties", ()))
    return (*tool.outputs, *nested)


def result_names(tool: Tool, rows: Rows) -> tuple[str, ...]:
    """Return the names of a tool's outputs, and of the fields of their rows as far as they are known."""
    untyped = (name for output in tool.outputs for name in rows.get(output, ()))
    return tuple(dict.fromkeys((*_typed_names(tool), *untyped)))


class FieldNames:
    """Names of result fields in a shifted schema.

    Fields of rows that neither have a type nor are in ``rows`` keep their names, since a new name could not be mapped
    back.
    """

    def __init__(self, tools: Mapping[str, Tool], naming: Naming, rows: Rows) -> None:
        self._tools = tools
        self._naming = naming
        self._rows = rows
        self._known: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    def new(self, tool: str, name: str) -> str:
        """Return the name of a field of a tool's result in the shifted schema."""
        return self._of(tool)[0].get(name, name)

    def old(self, tool: str, shown: str) -> str:
        """Return the field of a tool's result by its shown name, in any way of writing."""
        return self._of(tool)[1].get(snake(shown), shown)

    def rewrite(self, result: str, new: Callable[[str], str]) -> str:
        """Return a result's JSON with other names for its fields."""
        return _encode(rename_fields(msgspec.json.decode(result), new)).decode()

    def _of(self, tool: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return the new names of a tool's fields, and the way back."""
        if tool not in self._known:
            names = result_names(self._tools[tool], self._rows) if tool in self._tools else ()
            there = {name: self._naming.of_parameter(name) for name in names}
            self._known[tool] = there, {snake(new): name for name, new in there.items()}
        return self._known[tool]
