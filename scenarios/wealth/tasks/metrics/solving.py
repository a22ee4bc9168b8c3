"""Computes a quarter's metrics from the facts, independently of the expert."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.metrics.facts import FIGURES, GROWTHS, Facts, Message


class Answer(msgspec.Struct, frozen=True):
    """The metrics by name.

    Attributes:
        posted: final amounts in cents.
        counts: posted client counts.
        flows: net flows in cents.
        clients: number of active clients.
        percents: derived percentages with two decimals.
        corrected: metrics of `posted` whose first figure was corrected.
    """

    posted: dict[str, int]
    counts: dict[str, int]
    flows: int
    clients: int
    percents: dict[str, Decimal]
    corrected: tuple[str, ...]


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the final figures and the metrics derived from them."""
    figures = {metric: _figure(facts, metric) for metric in facts.owners}
    past = {(one.metric, one.quarter): one.value for one in facts.past}
    before = facts.quarter.back(1).label
    return Answer(
        posted={metric: value for metric, value in figures.items() if metric not in rules["counts"]},
        counts={metric: value for metric, value in figures.items() if metric in rules["counts"]},
        flows=figures["New Money"] - figures["Withdrawals"],
        clients=past["Active Clients", before] + figures["New Clients"] - figures["Lost Clients"],
        percents=_percents(facts, figures, past),
        corrected=facts.corrected,
    )


def _figure(facts: Facts, metric: str) -> int:
    """Return the sum of a figure's parts, usually only one, with their final numbers."""
    owner, parts = facts.owners[metric], {}
    for one in facts.messages:
        if one.form in FIGURES and (one.metric, one.quarter, one.by) == (metric, facts.quarter.label, owner):
            parts[one.part] = one
    return sum(_last_word(facts, one) for one in parts.values())


def _last_word(facts: Facts, post: Message) -> int:
    found = [one.value for one in facts.messages if one.form == "correction" and post.key and one.thread == post.key]
    return [post.value, *found][-1]


def _percents(facts: Facts, figures: dict[str, int], past: dict[tuple[str, str], int]) -> dict[str, Decimal]:
    opening, closing = past["Closing Assets", facts.quarter.back(1).label], figures["Closing Assets"]
    assets = Fraction(opening + closing, 2) if facts.on_average else Fraction(opening)
    fees = figures["Fee Revenue"]
    income = fees + figures["Trust Fees"]
    found = {
        "Operating Margin %": Fraction(income - figures["Operating Costs"], income),
        "Fee Margin %": 4 * fees / assets,
    }
    for name, metric in GROWTHS.items():
        earlier = past[metric, facts.quarter.back(4 if name in facts.yearly else 1).label]
        found[name] = Fraction(figures[metric] - earlier, earlier)
    return {name: Decimal(round_half_up(value * 10_000)) / 100 for name, value in found.items()}
