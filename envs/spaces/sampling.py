"""Draws random values that are valid for a tool's JSON schema."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import numpy as np

from teller_gym.envs.spaces.pattern_text import sample_pattern
from teller_gym.tools.tool import Parameter

_FIRST_DAY = date(2020, 1, 1)
_DAYS = 2922
_LIST_LENGTH = 3


def sample_arguments(parameters: Iterable[Parameter], rng: np.random.Generator) -> dict[str, Any]:
    """Draw valid arguments for a tool's parameters; optional ones are included half of the time."""
    return {
        parameter.name: sample_value(parameter.schema, rng)
        for parameter in parameters
        if parameter.required or rng.random() < 0.5
    }


def sample_value(schema: dict[str, Any], rng: np.random.Generator) -> Any:
    """Draw a value that is valid for a JSON schema as ``msgspec`` generates it."""
    if "anyOf" in schema:
        options = schema["anyOf"]
        return sample_value(options[int(rng.integers(len(options)))], rng)
    if "enum" in schema:
        return schema["enum"][int(rng.integers(len(schema["enum"])))]
    match schema.get("type"):
        case "null":
            return None
        case "boolean":
            return bool(rng.integers(2))
        case "integer":
            low = schema.get("minimum", 0)
            return int(rng.integers(low, schema.get("maximum", low + 1000) + 1))
        case "number":
            return _sample_number(schema, rng)
        case "array":
            fewest, most = schema.get("minItems", 0), schema.get("maxItems", _LIST_LENGTH)
            length = int(rng.integers(fewest, max(fewest, min(most, _LIST_LENGTH)) + 1))
            items = [sample_value(schema["items"], rng) for _ in range(length)]
            return list(dict.fromkeys(items)) if schema.get("uniqueItems") else items
        case "object":
            names = ["".join(chr(int(code)) for code in rng.integers(97, 123, size=8)) for _ in range(_LIST_LENGTH)]
            return {name: sample_value(schema.get("additionalProperties", {}), rng) for name in names}
        case _:
            return _sample_text(schema, rng)


def _sample_number(schema: dict[str, Any], rng: np.random.Generator) -> float:
    """Draw the minimum plus some hundredths, which every unit allows; rounded, because float sums are not exact."""
    low = schema.get("minimum", 0)
    high = schema.get("maximum", 1e6)
    cents = int(rng.integers(0, round(min(high - low, 1e6) * 100) + 1))
    return float(max(min(round(low + cents / 100, 6), high), low))


def _sample_text(schema: dict[str, Any], rng: np.random.Generator) -> str:
    if schema.get("format") == "date":
        return (_FIRST_DAY + timedelta(days=int(rng.integers(_DAYS)))).isoformat()
    if "pattern" in schema:
        return sample_pattern(schema["pattern"], rng, schema.get("minLength", 0), schema.get("maxLength"))
    length = max(schema.get("minLength", 0), 8)
    return "".join(chr(int(code)) for code in rng.integers(97, 123, size=min(length, schema.get("maxLength", length))))
