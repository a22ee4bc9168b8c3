"""The state of a client's emergency fund, worked out from the facts, apart from the expert."""

from __future__ import annotations

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.emergency_fund.facts import Facts


class Answer(msgspec.Struct, frozen=True):
    """Amounts that are needed and that can be had, in cents."""

    required: int
    available: int

    @property
    def passes(self) -> bool:
        """True if the savings are enough."""
        return self.available >= self.required

    @property
    def difference(self) -> int:
        """The amount that is left over, or is missing."""
        return abs(self.available - self.required)


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return both sums."""
    monthly = [round_half_up(one.monthly(rules)) for one in facts.expenses if one.counts(facts.today, rules)]
    return Answer(rules["months"] * sum(monthly), sum(one.available(facts.today, rules) for one in facts.accounts))
