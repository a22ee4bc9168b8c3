"""Chemical formulas of the catalogue."""

from __future__ import annotations

import re
from typing import Any

from teller_gym.base.errors import invalid

_PART = re.compile(r"([A-Z][a-z]?)([0-9]*)|(\()|(\))([0-9]*)")


def count_atoms(formula: str, weights: dict[str, Any], argument: str) -> dict[str, int]:
    """Count the atoms in a formula such as Ca(OH)2 or CuSO4.5H2O, by symbol.

    Raises:
        ToolError: The formula is malformed, or an element has no known weight.
    """
    total: dict[str, int] = {}
    for part in formula.strip().split("."):
        body = part.lstrip("0123456789")
        _add(total, _count(body, argument), int(part[: len(part) - len(body)] or 1))
    for symbol in total:
        if weights.get(symbol) is None:
            raise invalid(argument, f"expected elements with a standard atomic weight, got {symbol}")
    if not 1 <= sum(total.values()) <= 100_000:
        raise invalid(argument, f"expected 1 to 100000 atoms, got {formula.strip()}")
    return total


def _count(text: str, argument: str) -> dict[str, int]:
    """Count the atoms in a formula without dots; each bracket opens a new level."""
    levels: list[dict[str, int]] = [{}]
    place = 0
    while place < len(text):
        match = _PART.match(text, place)
        if match is None or (match[4] and len(levels) == 1):
            raise invalid(argument, f"expected a formula such as Ca(OH)2 or CuSO4.5H2O, got {text}")
        place = match.end()
        if match[3]:
            levels.append({})
        elif match[1]:
            _add(levels[-1], {match[1]: 1}, int(match[2] or 1))
        else:
            inner = levels.pop()
            _add(levels[-1], inner, int(match[5] or 1))
    if len(levels) > 1 or not levels[0]:
        raise invalid(argument, f"expected elements and a ) for every (, got {text}")
    return levels[0]


def _add(total: dict[str, int], atoms: dict[str, int], factor: int) -> None:
    for symbol, count in atoms.items():
        total[symbol] = total.get(symbol, 0) + factor * count
