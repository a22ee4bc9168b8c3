"""The words that the generator of account requests draws from; they stand in ``words.yaml``."""

from __future__ import annotations

from typing import Any

from teller_gym.scenarios.banking.generator.words import words_of


def account_words() -> dict[str, Any]:
    """Return notes, remarks, details and addresses."""
    return words_of("teller_gym.scenarios.accounts.generator")
