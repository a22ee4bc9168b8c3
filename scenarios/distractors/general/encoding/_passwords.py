"""The work behind the tools beside it: how hard a password is to guess."""

from __future__ import annotations

import re
from itertools import pairwise
from math import log2
from typing import Literal

Attack = Literal["online", "slow_hash", "fast_hash"]
_GUESSES_A_SECOND: dict[Attack, int] = {"online": 10, "slow_hash": 10_000, "fast_hash": 10_000_000_000}


def character_pool(password: str) -> int:
    """Return of how many characters a guesser must think: 26 + 26 letters, 10 digits, 33 signs, 100 beyond ASCII."""
    kinds = (
        (26, re.search(r"[a-z]", password)),
        (26, re.search(r"[A-Z]", password)),
        (10, re.search(r"[0-9]", password)),
        (33, re.search(r"[^A-Za-z0-9\x80-\U0010ffff]", password)),
        (100, re.search(r"[\x80-\U0010ffff]", password)),
    )
    return sum(size for size, found in kinds if found)


def guess_bits(password: str, personal_words: list[str]) -> float:
    """Return log2 of the guesses for a password; a personal word, or the next of a run like aaa or 123, is no news."""
    text = password.casefold()
    for word in sorted((word.casefold() for word in personal_words), key=lambda word: (-len(word), word)):
        text = text.replace(word, "\0")
    steps = [ord(after) - ord(before) for before, after in pairwise(text)]
    # The third character of a run is the first that follows from what stands before it.
    expected = sum(step == before and abs(step) <= 1 for before, step in pairwise(steps))
    return (len(text) - expected) * log2(character_pool(password))


def time_text(bits: float, attack: Attack) -> str:
    """Return how long half of all guesses take, in the largest unit of which there is one."""
    seconds = 2 ** min(max(0.0, bits - 1), 200) / _GUESSES_A_SECOND[attack]
    year = 31_557_600
    if seconds < 1:
        return "less than a second"
    if seconds >= 1_000_000 * year:
        return "more than a million years"
    units = (("year", year), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))
    unit, size = next(item for item in units if seconds >= item[1])
    count = int(seconds // size)
    return f"{count} {unit}{'s' if count > 1 else ''}"


def broken_rules(password: str, length: int, digit: bool, sign: bool, both_cases: bool) -> list[str]:
    """Return the rules that a password breaks."""
    rules = {
        f"at least {length} characters": len(password) >= length,
        "a digit": not digit or any(map(str.isdigit, password)),
        "a sign": not sign or not all(map(str.isalnum, password)),
        "small letters and capitals": not both_cases
        or (any(map(str.islower, password)) and any(map(str.isupper, password))),
    }
    return [rule for rule, kept in rules.items() if not kept]
