"""What is meant to happen in an instance: the kind of request, and how it ends.

How a case ends is drawn apart from what the request shows at once, but for what ends the case by itself (such as a
purpose that is not permitted): nothing in the request shall tell how the case comes out.
"""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.savings.policy import SavingsPolicy

FIRST_DAY, LAST_DAY = date(2026, 1, 5), date(2026, 12, 11)
"""Business dates lie between these; counted business days stay within the SOP's list of holidays."""

KINDS = (
    ("withdrawal", 28),
    ("maturity", 24),
    ("bonus_interest", 19),
    ("custodial_payout", 26),
    ("coverage_review", 17),
)
"""Kinds of request, with weights."""

MATCHES = ("sanctions_match", "pep_match", "enforcement_match")

Ending = tuple[str, float, str, tuple[str, ...]]
"""Name, weight, decision, and the reasons of which it has one."""

ENDINGS: dict[str, tuple[Ending, ...]] = {
    "withdrawal": (
        ("wd_charged", 29, "in_part", ("charged",)),
        ("wd_grace", 14, "carry_out", ("grace_period",)),
        ("wd_waived", 22, "carry_out", ("waived_death", "waived_incapacity")),
        ("wd_document", 10, "pend", ("document_missing",)),
        ("wd_first", 7, "decline", ("first_days",)),
        ("wd_pledged", 7, "decline", ("pledged",)),
        ("wd_hold", 5, "refer", ("legal_hold",)),
        ("wd_identity", 5, "decline", ("identity_not_verified",)),
        ("wd_sanctions", 2.5, "refer", ("sanctions_match",)),
        ("wd_pep", 2, "refer", ("pep_match",)),
        ("wd_enforcement", 2, "refer", ("enforcement_match",)),
    ),
    "maturity": (
        ("mat_renewed", 30, "carry_out", ("none",)),
        ("mat_changed", 24, "carry_out", ("none",)),
        ("mat_closed", 9, "carry_out", ("grace_period",)),
        ("mat_small", 12, "in_part", ("below_minimum",)),
        ("mat_late", 29, "decline", ("grace_over",)),
        ("mat_hold", 3, "refer", ("legal_hold",)),
        ("mat_match", 4, "refer", MATCHES),
    ),
    "bonus_interest": (
        ("bonus_earned", 44, "in_part", ("months_missed",)),
        ("bonus_full", 26, "carry_out", ("none",)),
        ("bonus_missed", 27, "decline", ("conditions_missed",)),
        ("bonus_identity", 4, "decline", ("identity_not_verified",)),
        ("bonus_match", 5, "refer", MATCHES),
    ),
    "custodial_payout": (
        ("cust_paid", 17, "carry_out", ("for_beneficiary",)),
        ("cust_part", 21, "in_part", ("yearly_limit",)),
        ("cust_of_age", 20, "carry_out", ("of_age",)),
        ("cust_ended", 15, "decline", ("custodianship_ended",)),
        ("cust_minor", 9, "decline", ("not_of_age",)),
        ("cust_purpose", 9, "decline", ("purpose_not_permitted",)),
        ("cust_document", 10, "pend", ("document_missing",)),
        ("cust_limit", 9, "refer", ("yearly_limit",)),
        ("cust_match", 4, "refer", MATCHES),
    ),
    "coverage_review": (
        ("cov_full", 46, "carry_out", ("none",)),
        ("cov_over", 55, "in_part", ("limit_exceeded",)),
        ("cov_identity", 5, "decline", ("identity_not_verified",)),
    ),
}
"""How cases are meant to end, with weights."""


class Plan(msgspec.Struct, frozen=True):
    """The plan of an instance."""

    kind: str
    ending: str
    decision: str
    reason: str
    today: date
    received: date
    channel: str
    place: list[str]

    def ends(self, *names: str) -> bool:
        """Whether the case is meant to end in one of these ways."""
        return self.ending in names


def draw_plan(draw: Draw, policy: SavingsPolicy, places: list[list[str]]) -> Plan:
    """Draw a plan."""
    kind = draw.weighted(KINDS)
    name, _, decision, reasons = draw.weighted([(ending, ending[1]) for ending in ENDINGS[kind]])
    today = open_day(_start(draw, policy, kind), policy)
    channel = draw.choice(("branch", "phone", "online", "mail"))
    received = today - timedelta(days=draw.integer(0, 9))
    while channel in ("branch", "mail") and not is_business_day(received, policy.holidays):
        received -= timedelta(days=1)
    return Plan(kind, name, decision, draw.choice(reasons), today, received, channel, draw.choice(places))


def _start(draw: Draw, policy: SavingsPolicy, kind: str) -> date:
    """Draw a day; renewals often lie soon after a change of rates, everything often near a holiday."""
    if kind == "maturity" and draw.chance(0.5):
        change = draw.choice([sheet.since for sheet in policy.rate_sheets[1:]])
        return change + timedelta(days=draw.integer(1, 16))
    if draw.chance(0.4):
        near = [day - timedelta(days=draw.integer(1, 8)) for day in sorted(policy.holidays)]
        return draw.choice([day for day in near if FIRST_DAY <= day <= LAST_DAY])
    return draw.day(FIRST_DAY, LAST_DAY)


def open_day(day: date, policy: SavingsPolicy) -> date:
    """Return the day, or the next business day."""
    while not is_business_day(day, policy.holidays):
        day += timedelta(days=1)
    return day
