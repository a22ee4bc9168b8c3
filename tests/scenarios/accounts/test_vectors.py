"""Holds, liability, months and deadlines against figures computed by hand from regulations."""

from datetime import date
from typing import Any

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.accounts.claims import Claims, add_months
from teller_gym.scenarios.accounts.deposits import Deposits
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.tools.availability import parts_of
from teller_gym.scenarios.accounts.tools.deadlines import moved

POLICY: AccountPolicy = load_scenario("accounts").policy


@pytest.mark.parametrize(
    ("day", "time", "channel", "expected"),
    [
        (date(2026, 3, 6), "15:00", "branch", date(2026, 3, 6)),  # exactly at the cut-off
        (date(2026, 3, 6), "15:01", "branch", date(2026, 3, 9)),  # Friday after it: Monday
        (date(2026, 3, 7), "09:00", "atm", date(2026, 3, 9)),  # a Saturday
        (date(2026, 5, 22), "12:30", "atm", date(2026, 5, 26)),  # before Memorial Day
    ],
)
def test_banking_day(day: date, time: str, channel: str, expected: date) -> None:
    assert Deposits(POLICY).banking_day(day, time, channel) == expected


def test_the_parts_of_a_large_check_by_regulation_cc() -> None:
    # 10,000 on Monday: 275 on Tuesday, 6,450 on Wednesday, and 3,275 five business days later.
    found = parts_of(POLICY, date(2026, 3, 2), "FA-50", (10_000.0, 275.0, 3_275.0), "large_deposit")
    assert (found.next_day_amount, found.next_day_on) == (275.0, date(2026, 3, 3))
    assert (found.regular_amount, found.regular_on) == (6_450.0, date(2026, 3, 4))
    assert (found.held_amount, found.held_until) == (3_275.0, date(2026, 3, 11))


def test_a_new_account_holds_to_the_ninth_business_day() -> None:
    found = parts_of(POLICY, date(2026, 3, 2), "FA-31", (8_000.0, 0.0, 1_275.0), "new_account")
    assert (found.regular_amount, found.regular_on) == (6_725.0, date(2026, 3, 3))
    assert found.held_until == date(2026, 3, 13)


def judge(missed: str, received: str, rows: list[tuple[str, str, float]]) -> int:
    """Return the liability for covered transfers, given as kind, day and amount."""
    judged = Claims(POLICY)
    judged.case = {"card_missed_date": missed, "received_date": received, "business_date": received}
    judged.assessed = [
        {"kind": kind, "posted_on": day, "counted_amount": amount, "finding": "covered", "claim_type": "unauthorized"}
        for kind, day, amount in rows
    ]
    return judged.liability()


@pytest.mark.parametrize(
    ("missed", "received", "rows", "expected"),
    [
        ("2026-03-02", "2026-03-04", [("pos_debit", "2026-03-02", 120.0)], 5_000),  # reported in time
        ("2026-03-02", "2026-03-04", [("pos_debit", "2026-03-02", 32.5)], 3_250),
        (
            "2026-03-02",
            "2026-03-10",
            [("pos_debit", "2026-03-03", 120.0), ("atm_withdrawal", "2026-03-06", 200.0)],
            25_000,
        ),
        (
            "2026-03-02",
            "2026-03-10",
            [("pos_debit", "2026-03-03", 20.0), ("atm_withdrawal", "2026-03-06", 900.0)],
            50_000,
        ),
        ("2026-03-05", "2026-03-09", [("atm_withdrawal", "2026-03-06", 400.0)], 5_000),  # a weekend between
        ("2026-03-02", "2026-03-10", [("ach_debit", "2026-03-06", 900.0)], 0),  # no card
        ("2026-03-02", "2026-03-10", [("pos_debit", "2026-03-11", 900.0)], 0),  # after the bank was notified
    ],
)
def test_liability_by_regulation_e(missed: str, received: str, rows: list[Any], expected: int) -> None:
    assert judge(missed, received, rows) == expected


@pytest.mark.parametrize(
    ("start", "months", "expected"),
    [
        (date(2026, 8, 31), 6, date(2027, 2, 28)),
        (date(2024, 2, 29), 12, date(2025, 2, 28)),
        (date(2023, 11, 30), 36, date(2026, 11, 30)),
        (date(2026, 1, 15), 60, date(2031, 1, 15)),
    ],
)
def test_months(start: date, months: int, expected: date) -> None:
    assert add_months(start, months) == expected == moved(POLICY, start, "after", months, "months", "none")


@pytest.mark.parametrize(
    ("start", "direction", "length", "unit", "roll", "expected"),
    [
        (date(2026, 11, 24), "after", 10, "business_days", "none", date(2026, 12, 9)),  # Thanksgiving between
        (date(2026, 3, 2), "after", 45, "calendar_days", "none", date(2026, 4, 16)),
        (date(2026, 11, 1), "before", 60, "calendar_days", "previous", date(2026, 9, 2)),
        (date(2026, 11, 1), "after", 0, "calendar_days", "previous", date(2026, 10, 30)),  # a Sunday
        (date(2026, 3, 6), "after", 0, "business_days", "none", date(2026, 3, 6)),
        (date(2026, 5, 27), "before", 2, "business_days", "none", date(2026, 5, 22)),
    ],
)
def test_deadlines(start: date, direction: str, length: int, unit: str, roll: str, expected: date) -> None:
    assert moved(POLICY, start, direction, length, unit, roll) == expected
