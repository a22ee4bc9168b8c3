"""Conversion of a call's short form, `name key=value key=value`, to the JSON that a model would write."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from teller_gym.base.text import did_you_mean

WRITTEN_OUT = ("{", "[", "<", "`")
"""Prefixes of actions that are sent unchanged."""

_CONSTANTS = {"true": True, "false": False, "null": None}
_TYPES: Mapping[str, tuple[type, ...]] = {
    "number": (int, float), "integer": (int,), "boolean": (bool,), "null": (type(None),), "array": (list,),
    "object": (dict,),
}  # fmt: skip


class NotationError(Exception):
    """Raised for a line that is not a call in any form; nothing is sent, and no step is used."""


def action_of(line: str, tools: Sequence[Mapping[str, Any]]) -> str:
    """Return the action for a line.

    Values are converted to the argument's type in the tool's schema, or sent as text if that is impossible. Items of a
    list are separated by commas; values with spaces need quotes.
    """
    if line.startswith(WRITTEN_OUT):
        return line
    try:
        name, *pairs = shlex.split(line)
    except ValueError as error:
        raise NotationError(f"{str(error).lower()}; values with spaces stand in quotes") from None
    functions = {tool["function"]["name"]: tool["function"] for tool in tools}
    if name not in functions:
        raise NotationError(f"there is no command or tool {name!r}{did_you_mean(name, functions)} (help says more)")
    properties = functions[name].get("parameters", {}).get("properties", {})
    arguments: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise NotationError(f"expected {name} key=value …, got {pair!r}; values with spaces stand in quotes")
        if key in arguments:
            raise NotationError(f"{key} is given twice; items of a list are parted by commas: {key}=a,b")
        arguments[key] = value_of(text, properties.get(key, {}))
    return json.dumps({"name": name, "arguments": arguments}, separators=(",", ":"), ensure_ascii=False)


def value_of(text: str, schema: Mapping[str, Any]) -> Any:
    """Convert text to a value that fits a JSON schema, or return the text if that is impossible."""
    # Strings come last, since null and numbers are valid strings too.
    for variant in sorted(schema.get("anyOf", [schema]), key=lambda one: one.get("type") == "string"):
        found = _typed(text, variant)
        if found is not None:
            return found[0]
    return text


def _typed(text: str, schema: Mapping[str, Any]) -> tuple[Any] | None:
    """Return the value in a one-element tuple, since it may be None, or None if the text does not fit the schema."""
    if "enum" in schema or "const" in schema:
        choices = schema.get("enum", [schema.get("const")])
        return next(((choice,) for choice in choices if _json(text) == (choice,) or text == choice), None)
    kind = schema.get("type")
    if kind == "string":
        return (text,)
    found = _json(text)
    if kind == "array" and (found is None or not isinstance(found[0], list | None)):
        inside = text.removeprefix("[").removesuffix("]").strip()
        return ([value_of(item.strip(), schema.get("items", {})) for item in inside.split(",")] if inside else [],)
    if kind is None or found is None:
        return found
    kinds = _TYPES.get(kind, ())
    fits = isinstance(found[0], kinds) and (kind == "boolean" or not isinstance(found[0], bool))
    return found if fits else None


def _json(text: str) -> tuple[Any] | None:
    if text.lower() in _CONSTANTS:
        return (_CONSTANTS[text.lower()],)
    try:
        return (json.loads(text, parse_constant=_refuse),)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> Any:
    raise ValueError(constant)
