"""Computes the list of a client's accounts from the facts, independently of the expert."""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.asset_aggregation.facts import BrokerageAccount, Facts


class Account(msgspec.Struct, frozen=True):
    """A row of the expected table, with the value in cents."""

    number: str
    institution: str
    kind: str
    value: int


class Answer(msgspec.Struct, frozen=True):
    """The accounts to list, and the account numbers in the documents that must not be listed."""

    accounts: tuple[Account, ...]
    others: frozenset[str]

    @property
    def total(self) -> int:
        return sum(one.value for one in self.accounts)


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the accounts to list, with their values."""
    brokerage = _brokerage(facts, rules)
    pensions = [
        Account(
            one.number,
            facts.provider,
            rules["retirement"],
            one.own + round_half_up(Fraction(one.employer * one.vested, 100)),
        )
        for one in facts.pensions
    ]
    reported = {one.number for one in (*brokerage, *pensions)}
    linked = [
        Account(one.number, one.institution, _kind(one.product, rules["bank"], rules), one.balance)
        for one in facts.linked
        if one.number not in reported
    ]
    found = (*_bank(facts, rules), *linked, *brokerage, *pensions)
    numbers = {one.number for one in facts.accounts} | {
        one.number for statement in facts.statements for one in statement.accounts
    }
    return Answer(found, frozenset(numbers - {one.number for one in found}))


def _bank(facts: Facts, rules: Rules) -> list[Account]:
    rates = {"USD": Fraction(1), "EUR": Fraction(facts.closing, 10_000)}
    return [
        Account(
            one.number,
            facts.bank,
            _kind(one.product, rules["bank"], rules),
            round_half_up(one.balance * rates[one.currency]),
        )
        for one in facts.accounts
        if one.status != rules["closed"]
    ]


def _brokerage(facts: Facts, rules: Rules) -> list[Account]:
    latest = max(facts.statements, key=lambda one: one.day)
    return [
        Account(one.number, facts.custodian, _kind(one.kind, rules["brokerage"], rules), _worth(one))
        for one in latest.accounts
    ]


def _worth(account: BrokerageAccount) -> int:
    positions = (round_half_up(Fraction(one.quantity * one.price, 10**5)) for one in account.positions)
    return account.cash + sum(positions)


def _kind(words: str, other: str, rules: Rules) -> str:
    kind: str = rules["retirement"] if re.search(rf"\b{rules['ira']}\b", words) else other
    return kind
