"""The words that the generator of savings requests draws from; they stand in ``words.yaml``."""

from __future__ import annotations

from typing import Any

from teller_gym.scenarios.banking.generator.words import words_of


def savings_words() -> dict[str, Any]:
    """Return notes, remarks and memos."""
    return words_of("teller_gym.scenarios.savings.generator")
