"""What is meant to happen in an instance: the kind of request, and how it ends.

How a case ends is drawn apart from what the request shows at once, but for what ends the case by itself (such as a post
box for an address): nothing in the request shall tell how the case comes out.
"""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.policy import AccountPolicy

FIRST_DAY, LAST_DAY = date(2026, 1, 5), date(2026, 12, 11)
"""Business dates lie between these; counted business days stay within the SOP's list of holidays."""

KINDS = (
    ("open_account", 15), ("deposit_review", 25), ("transfer_claim", 19), ("stop_payment", 14), ("dormancy_review", 12),
    ("close_account", 15),
)  # fmt: skip
"""Kinds of request, with weights."""

HELD = ("redeposited", "new_account", "repeated_overdraft", "large_deposit")
FINDINGS = ("not_covered", "late_notice", "authorized")
ORDERS = ("bank_obligation", "already_paid", "too_late")
MATCHES = ("sanctions_match", "pep_match", "enforcement_match")
RESTRICTIONS = ("legal_hold", "owner_deceased", "compliance_review")

Ending = tuple[str, float, str, tuple[str, ...]]
"""Name, weight, decision, and the reasons of which it has one."""

ENDINGS: dict[str, tuple[Ending, ...]] = {
    "open_account": (
        ("open_done", 33, "carry_out", ("none",)),
        ("open_identity", 11, "decline", ("identity_not_verified",)),
        ("open_misuse", 14, "decline", ("account_misuse",)),
        ("open_age", 8, "decline", ("age_not_met",)),
        ("open_address", 8, "pend", ("address_missing",)),
        ("open_deposit", 9, "pend", ("deposit_below_minimum",)),
        ("open_match", 17, "refer", MATCHES),
    ),
    "deposit_review": (
        ("deposit_free", 19, "carry_out", ("none",)),
        ("deposit_held", 36, "in_part", HELD),
        ("deposit_partly_taken", 17, "in_part", ("item_not_payable",)),
        ("deposit_returned", 7, "decline", ("item_not_payable",)),
        ("deposit_closed", 5, "decline", ("account_closed",)),
        ("deposit_unendorsed", 7, "pend", ("endorsement_missing",)),
        ("deposit_restricted", 9, "refer", RESTRICTIONS),
    ),
    "transfer_claim": (
        ("claim_paid", 8, "carry_out", ("none",)),
        ("claim_partly_found", 19, "in_part", FINDINGS),
        ("claim_liability", 23, "in_part", ("customer_liability",)),
        ("claim_refused", 12, "decline", FINDINGS),
        ("claim_borne", 2, "decline", ("customer_liability",)),
        ("claim_unconfirmed", 15, "pend", ("confirmation_missing",)),
        ("claim_without_authority", 12, "decline", ("not_authorized",)),
        ("claim_identity", 2, "decline", ("identity_not_verified",)),
        ("claim_restricted", 7, "refer", RESTRICTIONS),
    ),
    "stop_payment": (
        ("stop_done", 26, "carry_out", ("none",)),
        ("stop_partly", 27, "in_part", ORDERS),
        ("stop_refused", 14, "decline", ORDERS),
        ("stop_without_authority", 12, "decline", ("not_authorized",)),
        ("stop_identity", 4, "decline", ("identity_not_verified",)),
        ("stop_closed", 5, "decline", ("account_closed",)),
        ("stop_restricted", 8, "refer", RESTRICTIONS),
        ("stop_match", 4, "refer", MATCHES),
    ),
    "dormancy_review": (
        ("dormancy_reported", 34, "carry_out", ("none",)),
        ("dormancy_owner_active", 9, "decline", ("owner_active",)),
        ("dormancy_inactive", 11, "decline", ("inactive",)),
        ("dormancy_dormant", 13, "decline", ("dormant",)),
        ("dormancy_closed", 4, "decline", ("account_closed",)),
        ("dormancy_letter", 25, "pend", ("letter_due",)),
        ("dormancy_restricted", 4, "refer", RESTRICTIONS),
    ),
    "close_account": (
        ("close_paid", 28, "carry_out", ("none",)),
        ("close_without_authority", 24, "decline", ("not_authorized",)),
        ("close_identity", 3, "decline", ("identity_not_verified",)),
        ("close_closed", 3, "decline", ("account_closed",)),
        ("close_claim", 6, "pend", ("open_claim",)),
        ("close_debt", 7, "pend", ("linked_debt",)),
        ("close_items", 11, "pend", ("items_pending",)),
        ("close_address", 7, "pend", ("address_recent",)),
        ("close_short", 5, "pend", ("balance_short",)),
        ("close_restricted", 3, "refer", RESTRICTIONS),
        ("close_match", 3, "refer", MATCHES),
    ),
}
"""How cases are meant to end, with weights that add up to 100 for each kind."""


class Plan(msgspec.Struct, frozen=True):
    """The plan of an instance."""

    kind: str
    ending: str
    decision: str
    reason: str
    today: date
    received: date
    time: str
    channel: str
    place: list[str]

    def ends(self, *names: str) -> bool:
        """Whether the case is meant to end in one of these ways."""
        return self.ending in names


_CHANNELS: dict[str, tuple[tuple[str, float], ...]] = {
    "open_account": (("branch", 38), ("online", 42), ("mail", 20)),
    "deposit_review": (("branch", 48), ("atm", 27), ("online", 15), ("mail", 10)),
    "transfer_claim": (("phone", 45), ("branch", 25), ("online", 20), ("mail", 10)),
    "stop_payment": (("phone", 68), ("branch", 14), ("online", 12), ("mail", 6)),
    "dormancy_review": (("branch", 60), ("online", 40)),
    "close_account": (("branch", 65), ("mail", 35)),
}
_OFTEN_CLOSED = ("online", "atm", "phone")
"""Channels that are open on days on which the bank is not."""


def draw_plan(draw: Draw, policy: AccountPolicy, places: list[list[str]], kind: str | None = None) -> Plan:
    """Draw a plan; of a kind, if one is given."""
    kind = kind or draw.weighted(KINDS)
    name, _, decision, reasons = draw.weighted([(ending, ending[1]) for ending in ENDINGS[kind]])
    channel = draw.weighted(_CHANNELS[kind])
    if name == "claim_unconfirmed":
        channel = "phone"
    today, received = _dates(draw, policy, kind, name, channel)
    return Plan(
        kind, name, decision, draw.choice(reasons), today, received, _time(draw, policy, channel), channel,
        draw.choice(places),
    )  # fmt: skip


def _dates(draw: Draw, policy: AccountPolicy, kind: str, ending: str, channel: str) -> tuple[date, date]:
    """Draw the business date and the day of receipt; holidays lie in the way now and then."""
    if kind == "dormancy_review" and draw.chance(0.85):
        start = draw.day(date(2026, 7, 6), date(2026, 11, 5))
    elif draw.chance(0.7):
        past = kind in ("deposit_review", "transfer_claim", "stop_payment")  # what came in before the holiday counts
        near = [day + timedelta(days=draw.integer(*((-2, 7) if past else (-8, -1)))) for day in sorted(policy.holidays)]
        start = draw.choice([day for day in near if FIRST_DAY <= day <= LAST_DAY])
    else:
        start = draw.day(FIRST_DAY, LAST_DAY)
    today = open_day(start, policy)
    if kind == "transfer_claim":
        back = (
            draw.integer(15, 34)
            if ending == "claim_unconfirmed" or (channel == "phone" and draw.chance(0.5))
            else draw.weighted(((draw.integer(0, 4), 5), (draw.integer(5, 30), 5)))
        )
    elif kind == "stop_payment":
        back = draw.weighted(((draw.integer(0, 2), 3), (draw.integer(1, 11), 6)))
    elif kind == "deposit_review":
        back = draw.integer(0, 3)
    else:
        back = draw.integer(0, 9)
    received = today - timedelta(days=back)
    if kind == "stop_payment" and draw.chance(0.7):
        while received.weekday() not in (3, 4):  # a weekend lies within the notice of a debit
            received -= timedelta(days=1)
    while channel not in _OFTEN_CLOSED and not is_business_day(received, policy.holidays):
        received -= timedelta(days=1)
    if kind == "deposit_review" and channel in _OFTEN_CLOSED and draw.chance(0.3):
        received = _closed_day(received, policy)
    return today, received


def _closed_day(day: date, policy: AccountPolicy) -> date:
    """Return the last day up to this one on which the bank was closed."""
    while is_business_day(day, policy.holidays):
        day -= timedelta(days=1)
    return day


def open_day(day: date, policy: AccountPolicy) -> date:
    """Return the day, or the next business day."""
    while not is_business_day(day, policy.holidays):
        day += timedelta(days=1)
    return day


def _time(draw: Draw, policy: AccountPolicy, channel: str) -> str:
    """Draw a time of day, now and then at the cut-off itself; a branch closes an hour and a half after its cut-off."""
    cutoff = int(policy.cutoffs[channel][:2]) * 60 + int(policy.cutoffs[channel][3:])
    minutes = draw.weighted(
        ((cutoff, 1.2), (draw.integer(9 * 60, cutoff - 1), 5), (cutoff + draw.integer(1, 90), 5), (cutoff + 1, 0.6))
    )
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
