"""Train connections of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Stops = list[tuple[str, int]]
Leg = dict[str, Any]


def first_to_arrive(
    lines: list[dict[str, Any]], origin: str, goal: str, start: int, changes: int, change_minutes: int
) -> list[Leg] | None:
    """Return the legs of the earliest connection, with the fewest changes if tied, or None if there is none."""
    best: dict[str, tuple[int, list[Leg]]] = {origin: (start, [])}
    fresh = dict(best)
    for _ in range(changes + 1):
        reached: dict[str, tuple[int, list[Leg]]] = {}
        for line, stops in _trains(lines):
            leg: Leg | None = None
            legs: list[Leg] = []
            for name, minute in stops:
                earliest = min((known[name][0] for known in (best, reached) if name in known), default=None)
                if leg is not None:
                    if earliest is None or minute < earliest:
                        reached[name] = (minute, [*legs, leg | {"to_station": name, "arrives": minute}])
                elif name in fresh and fresh[name][0] + (change_minutes if fresh[name][1] else 0) <= minute:
                    legs = fresh[name][1]
                    leg = {"line": line, "from_station": name, "departs": minute}
        best |= reached
        fresh = reached
    return best[goal][1] if goal in best else None


def _trains(lines: list[dict[str, Any]]) -> Iterator[tuple[str, Stops]]:
    """Yield line and stops of every train of a day, in both directions."""
    for line in lines:
        there = list(line["stations"].items())
        back = [(name, there[-1][1] - minutes) for name, minutes in reversed(there)]
        for start in range(line["first"], line["last"] + 1, line["every"]):
            for way in (there, back):
                yield line["line"], [(name, start + minutes) for name, minutes in way]
