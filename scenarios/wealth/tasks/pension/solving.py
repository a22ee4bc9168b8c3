"""Computes a projection from the facts, independently of the expert."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import msgspec

from teller_gym.base.dates import whole_years
from teller_gym.base.money import exact, round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.pension.facts import Edition, Facts, Valuation


class Year(msgspec.Struct, frozen=True):
    """A year of the projection, with amounts in cents."""

    number: int
    opening: int
    contributions: int
    growth: int
    fee: int

    @property
    def closing(self) -> int:
        """Balance at the end of the year."""
        return self.opening + self.contributions + self.growth - self.fee


class Answer(msgspec.Struct, frozen=True):
    """The projected years up to retirement."""

    years: tuple[Year, ...]


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the projected years up to retirement."""
    last = {one.plan: one for one in sorted(facts.valuations, key=lambda one: one.on)}
    kept = [one for one in last.values() if one.status != rules["transferred"]]
    balance = sum(one.balance for one in kept)
    paid = sum(_paid(one, rules) for one in kept if one.status != rules["paid_up"])
    edition = max((one for one in facts.editions if one.since <= facts.today), key=lambda one: one.since)
    profiles, names = ("cautious", "balanced", "adventurous"), ("low", "middle", "high")
    name = {rules[profile]: rules[case] for profile, case in zip(profiles, names, strict=True)}[facts.profile]
    (scenario,) = (one for one in edition.scenarios if one.name == name)
    years = []
    for number in range(1, whole_years(facts.today, retires(facts)) + 1):
        growth = _of(balance + _share(edition, rules) * paid, scenario.growth)
        years.append(Year(number, balance, paid, growth, _of(balance + paid + growth, edition.fee)))
        balance, paid = years[-1].closing, paid + _of(paid, scenario.rise)
    return Answer(tuple(years))


def retires(facts: Facts) -> date:
    """Return the date of the client's retirement."""
    year = facts.born.year + facts.retirement_age
    try:
        return facts.born.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


def _paid(one: Valuation, rules: Rules) -> int:
    """Return the yearly employee and employer contributions to a plan in cents."""
    words = ("monthly", "biweekly", "quarterly", "annual")
    times: dict[str, int] = {rules[word]: rules[f"{word}_times"] for word in words}
    own = one.contribution * times[one.frequency]
    match = round_half_up(Fraction(own * (one.match or 0), 100))
    return own + (match if one.cap is None else min(match, one.cap))


def _share(edition: Edition, rules: Rules) -> Fraction:
    """Return the share of a year's contributions to which growth applies."""
    shares = {rules[word]: rules[f"{word}_share"] for word in ("beginning", "over", "quarters", "end")}
    return exact(shares[edition.timing]) / 100


def _of(cents: Fraction | int, rate: int) -> int:
    """Return ``rate`` basis points of an amount, rounded half up to the cent."""
    return round_half_up(Fraction(cents) * rate / 10_000)
