"""Computes the required and available amounts from the facts, independently of the expert."""

from __future__ import annotations

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.emergency_fund.facts import Facts


class Answer(msgspec.Struct, frozen=True):
    """Required and available amounts in cents."""

    required: int
    available: int

    @property
    def passes(self) -> bool:
        """True if the savings are sufficient."""
        return self.available >= self.required

    @property
    def difference(self) -> int:
        """Absolute surplus or shortfall in cents."""
        return abs(self.available - self.required)


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the required amount and the available savings."""
    monthly = [round_half_up(one.monthly(rules)) for one in facts.expenses if one.counts(facts.today, rules)]
    return Answer(rules["months"] * sum(monthly), sum(one.available(facts.today, rules) for one in facts.accounts))
