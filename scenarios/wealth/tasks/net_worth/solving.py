"""Computes a client's net worth from the facts, independently of the expert."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.net_worth.facts import Facts


class Answer(msgspec.Struct, frozen=True):
    """Total assets and liabilities in cents."""

    assets: int
    liabilities: int

    @property
    def net(self) -> int:
        """Assets less liabilities, in cents."""
        return self.assets - self.liabilities


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the sums of the assets and liabilities that count."""
    latest: dict[str, date] = {}
    for one in facts.assets:
        latest[one.name] = max(one.as_of, latest.get(one.name, one.as_of))
    assets = sum(
        round_half_up(Fraction(one.value * one.share, 100))
        for one in facts.assets
        if one.as_of == latest[one.name] and one.ownership != rules["in_trust"]
    )
    debts = sum(one.balance for one in facts.liabilities if one.status != rules["settled"])
    return Answer(assets, debts + max(facts.posts, key=lambda post: post.at).outstanding)
