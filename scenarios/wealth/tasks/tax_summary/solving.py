"""Computes a client's taxable income from the facts, independently of the expert."""

from __future__ import annotations

import msgspec

from teller_gym.office.documents.amounts import parse_money
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.tax_summary.facts import Facts


class Answer(msgspec.Struct, frozen=True):
    """The components in cents, in the order of the handbook chapter."""

    wages: int
    interest: int
    ordinary: int
    qualified: int
    capital: int
    carried: int

    @property
    def total(self) -> int:
        return self.wages + self.interest + self.ordinary + self.capital

    @property
    def amounts(self) -> tuple[int, ...]:
        """Amounts in cents, in the order of the rows to deliver."""
        return (self.wages, self.interest, self.ordinary, self.qualified, self.capital, self.carried, self.total)


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the components of taxable income."""
    paid = [one for one in facts.dividends if one.paid.year == facts.year]
    ordinary = [one for one in paid if one.kind == rules["ordinary"]]
    result = sum(one.result for one in facts.sales if one.year == facts.year) - facts.carried
    result += sum(one.amount for one in paid if one.kind == rules["gain_distribution"])
    capital = max(result, -parse_money(rules["loss_limit"]))
    return Answer(
        _wages(facts),
        sum(one.amount for one in facts.interest if one.credited.year == facts.year and one.kind != rules["municipal"]),
        sum(one.amount for one in ordinary),
        sum(one.qualified or 0 for one in ordinary),
        capital,
        capital - result,
    )


def _wages(facts: Facts) -> int:
    statements = [one for one in facts.wages if one.year == facts.year]
    corrected = {one.employer_id for one in statements if one.is_corrected}
    return sum(one.gross - one.pre_tax for one in statements if one.is_corrected or one.employer_id not in corrected)
