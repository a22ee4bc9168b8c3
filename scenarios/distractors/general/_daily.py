"""What the tools of house, kitchen, sport and games share: refusals, times of day, games of a tournament."""

from __future__ import annotations

import math
from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import ErrorKind, ToolError

TimeOfDay = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", max_length=5)]

MINUTES_A_DAY = 24 * 60


def refused(field: str, expected: str, got: object) -> ToolError:
    """Return the error for an argument that cannot be."""
    return ToolError(ErrorKind.VALIDATION, f"{field}: expected {expected}, got {got}", field)


def round_up(value: float) -> int:
    """Round up to a whole number, but not what is only noise of floating point."""
    return math.ceil(round(value, 9))


def minutes_of(time: str) -> int:
    """Return the minutes since midnight of a time of day."""
    hours, minutes = map(int, time.split(":"))
    return hours * 60 + minutes


def time_of(minutes: int) -> str:
    """Return the time of day so many minutes after midnight, 0 to 1439."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def clock(seconds: float) -> str:
    """Return h:mm:ss, rounded to the nearest second."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def round_robin_pairs(names: list[str], index: int) -> list[tuple[str, str]]:
    """Return (home, away) of the round with the given index, by the circle method: the last team stays, the others
    move on. An empty name stands for a rest; once all have met, they meet again with sides changed.
    """
    *circle, last = [*names, ""] if len(names) % 2 else names
    again, turn = divmod(index, len(circle))
    turned = circle[turn:] + circle[:turn]
    pairs = [(turned[0], last) if turn % 2 else (last, turned[0])]
    pairs += [(turned[i], turned[-i]) for i in range(1, len(turned) // 2 + 1)]
    return [(away, home) for home, away in pairs] if again else pairs


def read_score(text: str) -> tuple[str, int, int, str]:
    """Return home team, its goals, those of the other team, and its name, of a text such as "Rovers 2-1 Lions"."""
    score = next(word for word in text.split() if word[0].isdigit())
    home, away = text.split(score, 1)
    goals = score.split("-")
    return " ".join(home.split()), int(goals[0]), int(goals[1]), " ".join(away.split())
