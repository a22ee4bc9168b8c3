"""Aggregating assets: hand-computed values, differently formatted numbers, and extra rows."""

from datetime import date
from decimal import Decimal

import pytest

from teller_gym.office_tasks.verdict import Verdict
from teller_gym.scenarios.wealth.tasks.asset_aggregation.expert import Expert
from teller_gym.scenarios.wealth.tasks.asset_aggregation.facts import (
    BankAccount,
    BrokerageAccount,
    Facts,
    LinkedAccount,
    PensionAccount,
    Position,
    Statement,
)
from teller_gym.scenarios.wealth.tasks.asset_aggregation.solving import Account, solve
from teller_gym.scenarios.wealth.works import cases
from tests.scenarios.wealth.desks import FROZEN, after

NAME = "asset_aggregation"
RULES = cases(FROZEN)[NAME].rules


def _facts() -> Facts:
    stock = BrokerageAccount(
        "AB12345678", "Individual", (Position("A", 3_500, 10_001), Position("B", 1_500, 30_007)), 100
    )
    gone = BrokerageAccount("AB99999999", "Individual", (), 77_700)
    return Facts(
        bank="Old Ferry Bank",
        custodian="Ridgeway Brokerage",
        provider="Oakline Plan Trust",
        day=date(2026, 6, 30),
        closing=10_905,
        average=11_000,
        accounts=(
            BankAccount("1122223333", "IRA Certificate", "Open", "USD", 100_000),
            BankAccount("1122224444", "Everyday Checking", "Closed", "USD", 90_000),
            BankAccount("1122225555", "Euro Account", "Open", "EUR", 1_000),
        ),
        linked=(
            LinkedAccount("AB12345678", "Individual Account", "Ridgeway Brokerage", 5_000),
            LinkedAccount("KM00000001", "Share Savings", "Lakeshore Credit Union", 6_025),
        ),
        statements=(Statement(date(2026, 6, 30), (stock,)), Statement(date(2026, 5, 29), (gone,))),
        pensions=(PensionAccount("HX44444444", "Thrift Plan", 30_000, 1_005, 50),),
        writings=(1, 0, 2),
    )


def test_each_account_counts_once_with_the_value_of_its_own_statement() -> None:
    answer = solve(_facts(), RULES)
    assert answer.accounts == (
        Account("1122223333", "Old Ferry Bank", "Retirement", 100_000),
        # 10.00 euros at 1.0905 are 10.905 dollars, rounded up.
        Account("1122225555", "Old Ferry Bank", "Bank", 1_091),
        Account("KM00000001", "Lakeshore Credit Union", "Bank", 6_025),
        # 3.5 x 1.0001 = 3.50035, rounded to 3.50; 1.5 x 3.0007 = 4.50105, rounded to 4.50; 1.00 in cash.
        Account("AB12345678", "Ridgeway Brokerage", "Brokerage", 350 + 450 + 100),
        # The client's own 300.00, and half of 10.05, which is 5.025.
        Account("HX44444444", "Oakline Plan Trust", "Retirement", 30_000 + 503),
    )
    assert answer.total == 100_000 + 1_091 + 6_025 + 900 + 30_503
    assert answer.others == {"1122224444", "AB99999999"}, "the closed account and the one that is gone"


@pytest.mark.parametrize(("percent", "cents"), [("0", 30_000), ("50", 30_503), ("100", 31_005)])
def test_the_vested_part_of_what_the_employer_gave_counts(percent: str, cents: int) -> None:
    assert Expert("", RULES).vested(30_000, 1_005, Decimal(percent)) == cents


def test_each_position_is_rounded_by_itself() -> None:
    row = {"quantity": "1.5", "price": "0.3300", "cash_balance": ""}
    # Twice 0.495 is 0.99, but each is rounded to 0.50.
    assert Expert("", RULES).positions([row, row]) == 100


def _rows() -> list[list[str]]:
    answer = cases(FROZEN)[NAME].answer
    rows = [[one.number, one.institution, one.kind, f"{one.value / 100:.2f}"] for one in answer.accounts]
    return [*rows, ["TOTAL", "", "", f"{answer.total / 100:.2f}"]]


def _verdict(rows: list[list[str]], loose: bool = False) -> Verdict:
    header = "Account Number,Institution,Type,Value"
    return after(NAME, "\n".join([header, *(",".join(row) for row in rows)]), loose=loose)


def _lost(verdict: Verdict) -> list[str]:
    return [one.checkpoint for one in verdict.findings if not one.passed]


def test_numbers_may_be_written_in_any_way() -> None:
    rows = [[f" {row[0][:2].lower()} {row[0][2:5]}-{row[0][5:]}", row[1].upper(), *row[2:]] for row in _rows()]
    assert _verdict(rows[:-1] + _rows()[-1:]).success


def test_a_row_too_many_costs_what_it_makes_wrong() -> None:
    case, rows = cases(FROZEN)[NAME], _rows()
    other = sorted(case.answer.others)[0]
    assert _lost(_verdict([[other, "x", "Bank", "1.00"], *rows])) == ["accounts"]
    assert _lost(_verdict([["ZZ00000000", "x", "Bank", "1.00"], *rows])) == ["delivered", "accounts"]
    assert _lost(_verdict([rows[0], *rows])) == ["accounts", "details", "values"], "twice, in whatever writing"
    assert _lost(_verdict([*rows, rows[-1]])) == ["delivered", "details", "total"], "which total is meant?"
    assert _lost(_verdict(rows[-1:])) == ["delivered", "accounts", "details", "values"]


def test_a_value_is_right_to_the_cent_or_loosely_to_one_percent() -> None:
    rows = _rows()
    rows[0][3] = f"{cases(FROZEN)[NAME].answer.accounts[0].value * 1.005 / 100:.2f}"
    assert _lost(_verdict(rows)) == ["values"]
    assert _verdict(rows, loose=True).success
