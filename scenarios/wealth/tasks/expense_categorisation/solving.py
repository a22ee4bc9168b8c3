"""Computes categories and totals from the facts, independently of the expert."""

from __future__ import annotations

import msgspec

from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.expense_categorisation.facts import Facts


class Answer(msgspec.Struct, frozen=True):
    """Category of each counted transaction by id, and the spending by category in cents."""

    labels: dict[str, str]
    totals: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.totals.values())


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the categories of the counted transactions, and their sums by category."""
    counted = {
        one.id: one
        for one in facts.transactions
        if one.status == rules["posted"] and facts.start <= one.posted <= facts.end
    }
    labels = {number: category(one.description, facts, rules) for number, one in counted.items()}
    spent = set(labels.values()) - {rules["transfer"]}
    totals = {name: -sum(one.cents for one in counted.values() if labels[one.id] == name) for name in sorted(spent)}
    return Answer(labels, totals)


def category(description: str, facts: Facts, rules: Rules) -> str:
    """Return a description's category by the transfer rule, the numbered rules or the default."""
    text = description.casefold()
    if any(account in text for account in facts.accounts.own):
        return str(rules["transfer"])
    fitting = [one for one in facts.rules if one.words in text]
    return min(fitting, key=lambda one: one.number).category if fitting else str(rules["other"])
