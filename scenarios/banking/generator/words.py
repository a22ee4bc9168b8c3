"""Word lists of the generators, read from the YAML files beside them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import msgspec


@cache
def words_of(package: str) -> dict[str, Any]:
    """Return the lists of a package's ``words.yaml``, by name."""
    text = resources.files(package).joinpath("words.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=dict[str, Any])


def bank_words() -> dict[str, Any]:
    """Return the names, places, employers and remarks that all scenarios share."""
    return words_of("teller_gym.scenarios.banking.generator")
