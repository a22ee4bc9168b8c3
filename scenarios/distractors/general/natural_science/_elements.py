"""The chemical elements, and formulas made of them."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import msgspec

from teller_gym.base.errors import invalid

_NOBLE_GASES = (0, 2, 10, 18, 36, 54, 86, 118)
_GASES = frozenset(("H", "N", "O", "F", "Cl", "He", "Ne", "Ar", "Kr", "Xe", "Rn"))
_LIQUIDS = frozenset(("Br", "Hg"))
_NEVER_SEEN = frozenset(("At", "Fr"))
_TOKEN = re.compile(r"([A-Z][a-z]?)([0-9]*)|(\()|(\))([0-9]*)")
MOST_ATOMS = 100_000


class Element(msgspec.Struct, frozen=True):
    """An element; the weight is None if it has no standard one."""

    symbol: str
    name: str
    number: int
    weight: float | None

    @property
    def period(self) -> int:
        """The row of the periodic table."""
        return next(row for row, last in enumerate(_NOBLE_GASES) if self.number <= last)

    @property
    def group(self) -> int | None:
        """The column of the periodic table, 1 to 18; None for lanthanides and actinides."""
        first, last = _NOBLE_GASES[self.period - 1], _NOBLE_GASES[self.period]
        place, length = self.number - first, last - first
        if length == 32 and 3 <= place <= 17:
            return None
        return place if place <= 2 and self.symbol != "He" else place + 18 - length

    @property
    def state(self) -> str:
        """The state at 20 degrees Celsius and normal pressure."""
        if self.symbol in _NEVER_SEEN:
            return "unknown"
        return "gas" if self.symbol in _GASES else "liquid" if self.symbol in _LIQUIDS else "solid"


@cache
def elements() -> dict[str, Element]:
    """Return the elements by symbol, in the order of their numbers."""
    folder = resources.files("teller_gym.scenarios.distractors.general.natural_science")
    data = folder.joinpath("natural_science.yaml").read_bytes()
    table = msgspec.yaml.decode(data, type=dict[str, tuple[str, float | None]])
    numbered = enumerate(table.items(), 1)
    return {symbol: Element(symbol, name, number, weight) for number, (symbol, (name, weight)) in numbered}


def count_atoms(formula: str, field: str) -> dict[str, int]:
    """Count the atoms of a formula such as Ca(OH)2 or CuSO4.5H2O; refuses what is none, naming the argument."""
    total: dict[str, int] = {}
    for part in formula.strip().split("."):
        body = part.lstrip("0123456789")
        factor = _number(part[: len(part) - len(body)])
        for symbol, count in _count_part(body, field).items():
            total[symbol] = total.get(symbol, 0) + factor * count
    for symbol in total:
        if symbol not in elements():
            raise invalid(field, f"expected symbols of the elements 1 to 92, got {symbol}")
    if not 1 <= sum(total.values()) <= MOST_ATOMS:
        raise invalid(field, f"expected a formula of 1 to {MOST_ATOMS} atoms, got {formula.strip()}")
    return total


def _count_part(text: str, field: str) -> dict[str, int]:
    """Count the atoms of a formula without dots; brackets open a new level."""
    levels: list[dict[str, int]] = [{}]
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise invalid(field, f"expected a formula such as Ca(OH)2 or CuSO4.5H2O, got {text[place:]}")
        place = match.end()
        if match[3]:
            levels.append({})
        elif match[1]:
            levels[-1][match[1]] = levels[-1].get(match[1], 0) + _number(match[2])
        else:
            inner = levels.pop()
            if not levels:
                raise invalid(field, f"expected a ( before every ), got {text}")
            for symbol, count in inner.items():
                levels[-1][symbol] = levels[-1].get(symbol, 0) + count * _number(match[5])
    if len(levels) > 1 or not levels[0]:
        raise invalid(field, f"expected elements and a ) for every (, got {text or 'nothing beside a dot'}")
    return levels[0]


def _number(digits: str) -> int:
    return int(digits) if digits else 1


def masses_in_mole(formula: str, field: str) -> dict[str, float]:
    """Return the grams of each element in a mole of a compound; refuses elements without a standard weight."""
    masses = {}
    for symbol, count in count_atoms(formula, field).items():
        weight = elements()[symbol].weight
        if weight is None:
            raise invalid(field, f"expected elements with a standard atomic weight, got {symbol}, which has none")
        masses[symbol] = count * weight
    return masses
