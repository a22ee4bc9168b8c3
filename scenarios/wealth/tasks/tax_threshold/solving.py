"""Computes the tax on an estate from the facts, independently of the expert."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.tax_threshold.facts import Facts, Line, years_before


class Due(msgspec.Struct, frozen=True):
    """The part of the estate in a tax bracket in cents, with the bracket's rate in basis points and tax in cents."""

    band: str
    amount: int
    rate: int
    tax: int


class Answer(msgspec.Struct, frozen=True):
    """The tax due in each bracket, in order."""

    bands: tuple[Due, ...]

    @property
    def amount(self) -> int:
        """The taxable estate in cents."""
        return sum(one.amount for one in self.bands)

    @property
    def tax(self) -> int:
        """The total tax in cents."""
        return sum(one.tax for one in self.bands)

    @property
    def rate(self) -> int:
        """The total tax in basis points of the taxable estate."""
        return round_half_up(Fraction(self.tax * 10_000, self.amount)) if self.amount else 0


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the tax due in each bracket."""
    schedule = next(one for one in facts.schedules if one.year == facts.death.year)
    taxable = max(0, _net(facts, rules) - schedule.threshold)
    found = []
    for band in schedule.bands:
        end = taxable if band.end is None else min(taxable, band.end)
        amount = max(0, end - band.begin)
        found.append(Due(band.name, amount, band.rate, round_half_up(Fraction(amount * band.rate, 10_000))))
    return Answer(tuple(found))


def _net(facts: Facts, rules: Rules) -> int:
    """Return the estate in cents after deductions, including the gifts that count."""
    funeral = sum(one.amount for one in facts.lines if one.kind == rules["funeral"])
    return sum(_worth(one, facts, rules) for one in facts.lines) - min(funeral, int(rules["funeral_cap"]) * 100)


def _worth(line: Line, facts: Facts, rules: Rules) -> int:
    is_exempt = line.relation in rules["exempt"]
    if line.kind == rules["asset"]:
        return line.amount
    if line.kind == rules["debt"] and line.day is not None:
        return -line.amount if line.day <= facts.death else 0
    if line.kind == rules["bequest"]:
        return -line.amount if is_exempt else 0
    if line.kind == rules["gift"] and line.day is not None:
        return line.amount if line.day >= years_before(facts.death, rules["years"]) and not is_exempt else 0
    return 0
