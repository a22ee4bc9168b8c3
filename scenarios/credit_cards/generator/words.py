"""The words that the generator draws from."""

from __future__ import annotations

from typing import Any

from teller_gym.scenarios.banking.generator.words import words_of


def card_words() -> dict[str, Any]:
    """Return the lists of ``words.yaml`` beside this module, by name."""
    return words_of("teller_gym.scenarios.credit_cards.generator")
