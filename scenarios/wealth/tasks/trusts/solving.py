"""Computes a trust's shares by the deed and by the CRM from the facts, independently of the expert."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.trusts.facts import Facts


class Answer(msgspec.Struct, frozen=True):
    """Shares in the deed and in the CRM by name, in basis points."""

    shares: dict[str, tuple[int, int]]

    @property
    def deed(self) -> int:
        """Sum of the shares in the deed, in basis points."""
        return sum(deed for deed, _ in self.shares.values())

    @property
    def crm(self) -> int:
        """Sum of the shares in the CRM, in basis points."""
        return sum(crm for _, crm in self.shares.values())

    @property
    def apart(self) -> int:
        """Sum of the absolute differences, in basis points."""
        return sum(abs(crm - deed) for deed, crm in self.shares.values())


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the shares of all people in the deed or in the CRM."""
    deed, crm = _deed(facts), _crm(facts, rules)
    names = [name for name in dict.fromkeys([*deed, *crm]) if deed.get(name) or crm.get(name)]
    return Answer({name: (deed.get(name, 0), crm.get(name, 0)) for name in names})


def _deed(facts: Facts) -> dict[str, int]:
    lists = [facts.schedule, *(one.entries for one in facts.amendments)]
    present = {one.former: one.name for entries in lists for one in entries if one.former}
    shares = {present.get(one.name, one.name): one.share for one in facts.schedule}
    for amendment in sorted(facts.amendments, key=lambda one: one.effective):
        if amendment.effective <= facts.today:
            shares |= {present.get(one.name, one.name): one.share for one in amendment.entries}
    death = facts.death
    part = round_half_up(Fraction(shares.pop(death.name, 0), len(death.children)))
    for child in death.children:
        shares[child.name] = shares.get(child.name, 0) + part
    return shares


def _crm(facts: Facts, rules: Rules) -> dict[str, int]:
    counted = [
        one
        for one in facts.records
        if one.owner == facts.client and one.trust == facts.trust and one.status != rules["revoked"]
    ]
    return {one.name: one.share for one in sorted(counted, key=lambda one: one.modified)}
