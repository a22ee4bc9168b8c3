"""Tool schemas for servers that accept only part of JSON Schema.

Everything else is moved into descriptions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

_KEPT = ("type", "description", "properties", "required", "items", "enum")
"""Keywords that every server accepts; `enum` is only accepted with strings."""

_WORDS: dict[str, Callable[[Any], str]] = {
    "pattern": lambda value: f"matches {value}",
    "minimum": lambda value: f"at least {value}",
    "maximum": lambda value: f"at most {value}",
    "exclusiveMinimum": lambda value: f"more than {value}",
    "exclusiveMaximum": lambda value: f"less than {value}",
    "multipleOf": lambda value: f"a multiple of {value}",
    "minLength": lambda value: f"at least {value} characters",
    "maxLength": lambda value: f"at most {value} characters",
    "minItems": lambda value: f"at least {value} items",
    "maxItems": lambda value: f"at most {value} items",
    "uniqueItems": lambda value: "each item once" if value else "",
    "default": lambda value: f"{json.dumps(value)} if left out",
    "format": lambda value: "a date as YYYY-MM-DD" if value == "date" else f"format {value}",
    "additionalProperties": lambda value: "" if value is False else f"other properties: {json.dumps(value)}",
}


def plain(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Reduce an OpenAI function schema to types, descriptions, properties, items and string enums.

    Everything else is expressed as text and added to the parameter's description.
    """
    function: dict[str, Any] = dict(tool["function"])
    if "parameters" in function:
        parameters = _plain(function.pop("parameters"))
        if parameters.get("properties"):  # some servers refuse an object without properties
            function["parameters"] = {"type": "object", **parameters}
    return {**tool, "function": function}


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    schema, words = _one(schema)
    kept: dict[str, Any] = {}
    for name, value in schema.items():
        if name == "properties":
            kept[name] = {key: _plain(part) for key, part in value.items()}
        elif name == "items":
            kept[name] = _plain(value)
        elif name == "required":
            kept.update({name: value} if value else {})
        elif name == "enum":
            kept |= _enum(value, schema.get("type"), words)
        elif name in _WORDS:
            words.append(_WORDS[name](value))
        elif name in _KEPT:
            kept[name] = value
        else:
            words.append(f"{name}: {json.dumps(value)}")
    kept.setdefault("type", "object" if "properties" in kept else "string")
    told = "; ".join(word for word in dict.fromkeys(words) if word)
    if told:
        kept["description"] = f"{schema.get('description', '')} ({told})".lstrip()
    return kept


def _one(schema: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a copy of a schema without alternatives, and phrases that describe its alternatives."""
    rest = dict(schema)
    if "const" in rest:
        rest["enum"] = [rest.pop("const")]
    words: list[str] = []
    if isinstance(rest.get("type"), list):
        rest["anyOf"] = [{"type": name} for name in rest.pop("type")]
    options = [option for name in ("anyOf", "oneOf") for option in rest.pop(name, ())]
    if options:
        others = [option for option in options if option.get("type") != "null"]
        if len(others) < len(options):
            words.append("or null")
        if len(others) == 1:
            rest = {**others[0], **rest}
        elif others:
            # The first alternative gives the type, and all of them are described in words.
            words.append("one of " + ", ".join(json.dumps(option) for option in others))
            rest = {"type": others[0].get("type", "string"), **rest}
    return rest, words


def _enum(values: list[Any], kind: Any, words: list[str]) -> dict[str, Any]:
    """Return the keywords for an enum.

    An enum of strings is kept; any other becomes a type and a phrase.
    """
    texts = [value for value in values if value is not None]
    if len(texts) < len(values):
        words.append("or null")
    if texts and all(isinstance(value, str) for value in texts):
        return {"type": "string", "enum": texts}
    words.append(f"one of {', '.join(json.dumps(value) for value in texts)}")
    return {"type": kind if isinstance(kind, str) else _kind(texts)}


def _kind(values: list[Any]) -> str:
    if all(isinstance(value, bool) for value in values):
        return "boolean"
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return "integer"
    return "number" if all(isinstance(value, int | float) for value in values) else "string"
