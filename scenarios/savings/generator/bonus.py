"""Requests for bonus interest: several months of movements, some of which count."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.savings.generator.records import Desk, months_on, owner_row
from teller_gym.scenarios.savings.generator.terms import Made
from teller_gym.scenarios.savings.tools.deposits import signed
from teller_gym.tools.bank import Record

FAULTS = ("low", "own", "small", "reversed", "late", "withdrawals")
"""Ways in which a month fails to qualify."""


class Ledger:
    """Movements of an account, drawn month by month."""

    def __init__(self, desk: Desk, opening: int) -> None:
        self.desk = desk
        self.opening = opening
        self.rows: list[Record] = []

    def add(
        self, kind: str, posted: date, amount: int, *, ordered: date | None = None, reversed_on: date | None = None
    ) -> None:
        draw = self.desk.draw
        self.rows.append(
            {
                "movement_id": draw.identifier("MV"),
                "kind": kind,
                "amount": amount,
                "ordered_on": (ordered or posted - timedelta(days=draw.choice((0, 0, 1)))).isoformat(),
                "posted_on": posted.isoformat(),
                "reversed_on": None if reversed_on is None else reversed_on.isoformat(),
                "memo": draw.choice(words_of(__package__)["memos"]) if draw.chance(0.5) else None,
            }
        )

    def balance_after(self, day: str) -> int:
        """Return the balance at the end of a day, net of reversals."""
        total = self.opening
        for row in self.rows:
            total += signed(row) if row["posted_on"] <= day else 0
            total -= signed(row) if row["reversed_on"] is not None and row["reversed_on"] <= day else 0
        return total

    def month(self, year: int, month: int) -> Record:
        """Return a month's average and lowest balance.

        Raises:
            NoCaseError: The balance falls below zero.
        """
        days = monthrange(year, month)[1]
        balances = [self.balance_after(date(year, month, day).isoformat()) for day in range(1, days + 1)]
        if min(balances) < 0:
            raise NoCaseError
        average = (2 * sum(balances) + days) // (2 * days)
        return {
            "month": f"{year}-{month:02d}",
            "days": days,
            "average_balance": average,
            "lowest_balance": min(balances),
        }


def _deposit(ledger: Ledger, day: date, *, fault: str = "") -> None:
    """Add a deposit that counts, or one with the given fault."""
    draw, policy = ledger.desk.draw, ledger.desk.policy
    least = policy.bonus_deposit_minimum
    amount = draw.weighted(((least, 1), (draw.steps(least, least + 60_000, 500), 6), (draw.integer(least, 180_000), 3)))
    if fault == "small":
        amount = least - draw.choice((100, 500, 1_000, 2_500, 5_000))
    kind = "own_transfer_in" if fault == "own" else draw.choice(policy.counted_deposits)
    back = day + timedelta(days=draw.integer(1, 4)) if fault == "reversed" else None
    ledger.add(kind, day, amount, reversed_on=back)


def _fill_month(ledger: Ledger, year: int, month: int, fault: str) -> None:
    """Add the movements of a month, with the given fault if it is not empty."""
    draw, policy = ledger.desk.draw, ledger.desk.policy
    last = monthrange(year, month)[1]
    days = [date(year, month, day) for day in draw_days(ledger, 8, last)]
    short = fault in ("own", "small", "reversed", "late")
    for _ in range(policy.bonus_deposits - 1 if short else policy.bonus_deposits + draw.choice((0, 0, 1))):
        _deposit(ledger, days.pop())
    if fault in ("own", "small", "reversed"):
        _deposit(ledger, days.pop(), fault=fault)
    elif fault == "late":
        posted = date(year, month, last) + timedelta(days=draw.integer(1, 2))
        ledger.add(
            draw.choice(("check_deposit", "ach_credit")),
            posted,
            draw.steps(20_000, 80_000, 500),
            ordered=date(year, month, last),
        )
    elif draw.chance(0.3):
        _deposit(ledger, days.pop(), fault=draw.choice(("own", "small")))
    most = policy.bonus_withdrawals
    for number in range(most + 1 if fault == "withdrawals" else draw.integer(0, most)):
        day = days.pop() if days else date(year, month, last)
        back = day + timedelta(days=2) if number == 0 and draw.chance(0.4) else None
        ledger.add(draw.choice(policy.counted_withdrawals), day, draw.steps(4_000, 30_000, 2_000), reversed_on=back)
    if draw.chance(0.45) and days:
        ledger.add(draw.choice(("service_fee", "own_transfer_out")), days.pop(), draw.choice((500, 800, 1_200)))
    if fault == "low":
        start = date(year, month, draw.integer(4, 20))
        there = ledger.balance_after(start.isoformat())
        taken = there - policy.bonus_lowest_balance + draw.steps(2_000, 60_000, 1_000)
        if taken <= 0:
            raise NoCaseError
        ledger.add("own_transfer_out", start, taken)
        ledger.add("own_transfer_in", start + timedelta(days=draw.integer(2, 6)), taken)


def draw_days(ledger: Ledger, count: int, last: int) -> list[int]:
    """Draw distinct days of a month."""
    days: list[int] = []
    while len(days) < count:
        day = ledger.desk.draw.integer(1, last - 4)
        if day not in days:
            days.append(day)
    return days


def add_bonus(desk: Desk) -> Made:
    """Draw a request for bonus interest with its account."""
    draw, plan, policy = desk.draw, desk.plan, desk.policy
    length = draw.choice((4, 5, 5, 6))
    end = plan.received.replace(day=1) - timedelta(days=1)
    first = months_on(end.replace(day=1), 1 - length, 1)
    tiers = [tier.balance for tier in policy.bonus_plans["classic"]]
    opening = draw.weighted(
        (
            (draw.integer(policy.bonus_lowest_balance + 60_000, tiers[1] - 1), 3),
            (tiers[1] - draw.integer(1, 20_000), 2),
            (draw.integer(tiers[1], tiers[2] - 1), 3),
            (tiers[2] - draw.integer(1, 40_000), 2),
            (draw.choice(tiers[1:]), 1),
            (draw.integer(tiers[2], policy.bonus_cap), 2),
            (draw.integer(policy.bonus_cap, policy.bonus_cap + 900_000), 4),
        )
    )
    most = policy.bonus_missed_allowed
    missed = draw.choice((1, most, most, most))
    if plan.ends("bonus_missed", "bonus_full"):
        missed = most + draw.choice((1, 1, 2)) if plan.ends("bonus_missed") else 0
    missed = min(missed, length)
    faults = [draw.choice(FAULTS) for _ in range(missed)] + [""] * (length - missed)
    ledger, rows = Ledger(desk, opening), []
    order = sorted(range(length), key=lambda _: draw.real(0, 1))
    for number in range(length):
        day = months_on(first, number, 1)
        _fill_month(ledger, day.year, day.month, faults[order[number]])
    ledger.rows.sort(key=lambda row: (row["posted_on"], row["movement_id"]))
    for number in range(length):
        day = months_on(first, number, 1)
        rows.append(ledger.month(day.year, day.month))
    person = desk.requester()
    account_id = desk.account(
        product="bonus_saver",
        ownership="single",
        owners=[owner_row(person, "owner")],
        opened=(first - timedelta(days=draw.integer(40, 1_500))).isoformat(),
        balance=ledger.balance_after("9999"),
        opening_balance=opening,
        annual_rate=draw.steps(25, 90, 5),
        interest_paid_to=first.isoformat(),
        bonus_plan=draw.choice(("classic", "premier")),
        restrictions=[row for row in desk.restrictions() if row["kind"] != "legal_hold" or row["lifted_on"]],
        months=rows,
        movements=ledger.rows,
    )
    period = {"period_from": first.isoformat(), "period_to": end.isoformat()}
    return desk.request([person], **period), [account_id], [person]
