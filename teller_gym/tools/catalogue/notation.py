"""Parses parameter types in the catalogue's notation, such as ``integer 1..12 or none = none -- Months of use.``"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from teller_gym.base.errors import ScenarioError
from teller_gym.tools.tool import ONCE, Money, Percent

_NUMBER: Final = r"-?[0-9.]+(?:e-?[0-9]+)?"
_RANGE: Final = re.compile(rf"(number|integer) ({_NUMBER})\.\.({_NUMBER})(?: (\w+))?")
_TEXT: Final = re.compile(r"text(?: (\d+)?\.\.(\d+))?(?: ~ (.+))?")
_LIST: Final = re.compile(r"(list|set)(?: (\d+)?\.\.(\d+))? of (.+)")
_CHOICE: Final = re.compile(r"one of (.+)")
_KEYS: Final = re.compile(r"key of (\w+)(?:, (\w+))?")
_PLAIN: Final[dict[str, Any]] = {"money": Money, "percent": Percent, "boolean": bool, "date": date, "integer": int}
_CONSTANTS: Final[dict[str, Any]] = {"none": None, "true": True, "false": False}
_OPTIONAL: Final = " or none"


def parameter(tool: str, name: str, written: str, types: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
    """Return a parameter as a field of the tool's argument struct: name, type and, if it is optional, its default.

    Args:
        tool: The tool's name, for errors.
        name: The parameter's name.
        written: Its type, default and description in the catalogue's notation.
        types: The catalogue's own types, and its tables, by name.

    Raises:
        ScenarioError: If the notation cannot be read.
    """
    declared, dashes, description = written.partition(" -- ")
    if not dashes:
        raise ScenarioError(f"{tool}.{name}: expected 'type -- description', got {written!r}")
    notation, equals, default = declared.partition(" = ")
    try:
        kind = read_type(notation, types or {})
        annotated = Annotated[kind, Meta(description=" ".join(description.split()))]  # type: ignore[valid-type]
        if equals:
            return name, annotated, _constant(default)
    except ValueError as error:
        raise ScenarioError(f"{tool}.{name}: {error}") from None
    return (name, annotated, None) if notation.endswith(_OPTIONAL) else (name, annotated)


def read_type(notation: str, types: Mapping[str, Any]) -> Any:
    """Convert a parameter's notation to a type.

    Args:
        notation: ``money``, ``percent``, ``boolean``, ``date``, ``number LOW..HIGH UNIT``, ``integer LOW..HIGH``,
            ``text LEAST..MOST ~ PATTERN``, ``one of A, B``, ``key of TABLE``, ``list LEAST..MOST of TYPE``, ``set …``
            or a name, followed by ``or none`` if it is optional. Units and the bounds of texts and lists can be
            omitted. After a table or a name, a comma and one more choice may follow.
        types: Types by name, and tables by name.

    Raises:
        ValueError: If the notation cannot be read.
    """
    notation = notation.strip()
    if notation.endswith(_OPTIONAL):
        return read_type(notation.removesuffix(_OPTIONAL), types) | None
    name, comma, further = notation.partition(", ")
    if name in types:
        return types[name] | Literal[further] if comma else types[name]
    if notation in _PLAIN:
        return _PLAIN[notation]
    if match := _RANGE.fullmatch(notation):
        low, high = _number(match[2]), _number(match[3])
        if match[1] == "integer":
            return Annotated[int, Meta(ge=low, le=high)]
        # typing caches equal types, so the notation distinguishes 1 from 1.0, which schemas show differently.
        return Annotated[float, Meta(ge=low, le=high, extra={"unit": match[4], "notation": notation})]
    if match := _TEXT.fullmatch(notation):
        return Annotated[str, Meta(min_length=_length(match[1]), max_length=_length(match[2]), pattern=match[3])]
    if match := _LIST.fullmatch(notation):
        items: Any = list[read_type(match[4], types)]  # type: ignore[misc]
        kind = Annotated[items, Meta(min_length=_length(match[2]), max_length=_length(match[3]))]
        return Annotated[kind, ONCE] if match[1] == "set" else kind
    if match := _KEYS.fullmatch(notation):
        return Literal[(*types[match[1]], *filter(None, [match[2]]))]
    if match := _CHOICE.fullmatch(notation):
        return Literal[tuple(_constant(word) for word in match[1].split(", "))]
    raise ValueError(f"expected a type such as 'money', 'integer 1..12' or 'one of a, b', got {notation!r}")


def _length(written: str | None) -> int | None:
    return None if written is None else int(written)


def _number(written: str) -> int | float:
    return float(written) if "." in written or "e" in written else int(written)


def _constant(written: str) -> Any:
    """Parse a default or a choice: a number, ``none``, ``true``, ``false``, or otherwise a text (``''`` if empty)."""
    if written in _CONSTANTS:
        return _CONSTANTS[written]
    if re.fullmatch(_NUMBER, written):
        return _number(written)
    return written[1:-1] if re.fullmatch("'.*'", written) else written
