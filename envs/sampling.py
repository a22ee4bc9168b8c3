"""Random values that fit a tool's JSON schema."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import numpy as np

from teller_gym.tools import Parameter

_FIRST_DAY = date(2020, 1, 1)
_DAYS = 2922
_LIST_LENGTH = 3
_CLASS = re.compile(r"\[([^\]]+)\](?:\{(\d+)(?:,(\d+))?\})?|(.)", re.DOTALL)


def sample_arguments(parameters: Iterable[Parameter], rng: np.random.Generator) -> dict[str, Any]:
    """Draw arguments that fit a tool's parameters; optional ones are given half of the time."""
    return {
        parameter.name: sample_value(parameter.schema, rng)
        for parameter in parameters
        if parameter.required or rng.random() < 0.5
    }


def sample_value(schema: dict[str, Any], rng: np.random.Generator) -> Any:
    """Draw a value that fits a JSON schema as ``msgspec`` writes them for tools."""
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
            low = schema.get("minimum", 0)
            cents = int(rng.integers(0, round(min(schema.get("maximum", 1e6) - low, 1e6) * 100) + 1))
            return low + cents / 100
        case "array":
            fewest, most = schema.get("minItems", 0), schema.get("maxItems", _LIST_LENGTH)
            length = int(rng.integers(fewest, max(fewest, min(most, _LIST_LENGTH)) + 1))
            return [sample_value(schema["items"], rng) for _ in range(length)]
        case _:
            return _sample_text(schema, rng)


def _sample_text(schema: dict[str, Any], rng: np.random.Generator) -> str:
    if schema.get("format") == "date":
        return (_FIRST_DAY + timedelta(days=int(rng.integers(_DAYS)))).isoformat()
    if "pattern" in schema:
        return "".join(_sample_class(match, rng) for match in _CLASS.finditer(schema["pattern"].strip("^$")))
    length = max(schema.get("minLength", 0), 8)
    return "".join(chr(int(code)) for code in rng.integers(97, 123, size=min(length, schema.get("maxLength", length))))


def _sample_class(match: re.Match[str], rng: np.random.Generator) -> str:
    """Draw from one character class with its count, or return a literal; tool patterns use nothing else."""
    if match[4] is not None:
        return match[4]
    pool: list[str] = []
    for low, high, single in re.findall(r"(\w)-(\w)|(.)", match[1]):
        pool += [single] if single else [chr(code) for code in range(ord(low), ord(high) + 1)]
    fewest = int(match[2] or 1)
    count = int(rng.integers(fewest, int(match[3] or fewest) + 1))
    return "".join(pool[int(i)] for i in rng.integers(len(pool), size=count))
