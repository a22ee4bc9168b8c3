"""Word lists of the generators, read from the files beside them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import msgspec


@cache
def words_of(package: str) -> dict[str, Any]:
    """Return the lists of ``words.yaml`` in a package's folder, by name."""
    text = resources.files(package).joinpath("words.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=dict[str, Any])


def bank_words() -> dict[str, Any]:
    """Return names, places, employers and remarks that the customers of the bank have in any scenario."""
    return words_of("teller_gym.scenarios.banking.generator")
