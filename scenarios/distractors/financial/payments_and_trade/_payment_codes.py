"""Codes of payments: IBAN, routing number, BIC and references with check digits; results and arithmetic, no tools."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import msgspec


@cache
def tables() -> dict[str, Any]:
    """Return the tables of payments and trade: IBAN structures, countries, reserve banks."""
    folder = resources.files("teller_gym.scenarios.distractors.financial.payments_and_trade")
    data: dict[str, Any] = msgspec.yaml.decode(folder.joinpath("payments_and_trade.yaml").read_bytes())
    return data


def check_digits_97(text: str) -> str:
    """Return the two check digits of ISO 7064 MOD 97-10 for a text that ends with ``00`` in their place."""
    number = int("".join(str(int(character, 36)) for character in text))
    return f"{98 - number % 97:02d}"


def grouped(text: str, size: int, *, from_right: bool = False) -> str:
    if size == 0:
        return text
    first = len(text) % size if from_right else 0
    head = [text[:first]] if first else []
    return " ".join(head + [text[at : at + size] for at in range(first, len(text), size)])
