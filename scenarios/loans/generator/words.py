"""Words that loan applications are made of; what all customers of the bank have stands with the shared generator."""

from __future__ import annotations

from typing import Any

from teller_gym.scenarios.banking.generator.words import words_of


def loan_words() -> dict[str, Any]:
    """Return creditors, collateral and texts of loan applications."""
    return words_of("teller_gym.scenarios.loans.generator")
