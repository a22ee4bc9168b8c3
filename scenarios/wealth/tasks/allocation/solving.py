"""Computes an asset allocation from the facts, independently of the expert."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.allocation.facts import Facts, Holding


class Answer(msgspec.Struct, frozen=True):
    """Values of the asset classes in cents."""

    values: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.values.values())

    @property
    def weights(self) -> dict[str, int]:
        """Weights in basis points, by asset class."""
        return {name: round_half_up(Fraction(10_000 * cents, self.total)) for name, cents in self.values.items()}

    @property
    def total_weight(self) -> int:
        return sum(self.weights.values())


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the sum of the holdings' values by asset class."""
    worth = [(one, _value(facts, one, rules)) for one in facts.holdings]
    found = {}
    for name in sorted({rules["cash"], rules["unmapped"], *(one.asset_class for one in facts.shares)}):
        parts = [(cents, tenths) for one, cents in worth if (tenths := _tenths(facts, one, name, rules))]
        if parts:
            found[name] = sum(round_half_up(Fraction(cents * tenths, 1000)) for cents, tenths in parts)
    return Answer(found)


def _value(facts: Facts, one: Holding, rules: Rules) -> int:
    if one.kind == rules["cash"]:
        return one.cash
    day = facts.today - timedelta(days=facts.today.day)
    fresh = [
        (price.day, price.price)
        for price in facts.prices
        if price.symbol == one.symbol and 0 <= (day - price.day).days <= rules["stale_days"]
    ]
    price = max(fresh)[1] if fresh else one.book
    # Quantity times price is in 1/100,000 of a cent or, for bonds, whose prices are percentages, in 1/100 of that.
    return round_half_up(Fraction(one.quantity * price, 10**7 if one.kind == rules["bond"] else 10**5)) + one.accrued


def _tenths(facts: Facts, one: Holding, name: str, rules: Rules) -> int:
    """Return a holding's share of an asset class, in tenths of a percent."""
    if one.kind == rules["cash"]:
        return 1000 if name == rules["cash"] else 0
    own = [share for share in facts.shares if share.symbol == one.symbol]
    if name == rules["unmapped"]:
        return 1000 - sum(share.tenths for share in own)
    return sum(share.tenths for share in own if share.asset_class == name)
