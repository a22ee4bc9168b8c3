"""What is meant to happen in a case: its kind and how it ends. All else is drawn until it comes out so.

The kind is drawn first, then the ending, with much the same weights for every kind: what is asked shall not tell how it
comes out.
"""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.credit_cards.policy import CardPolicy

FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 12, 11)
"""Business dates lie between these; due dates stay within the SOP's list of holidays."""

KINDS = (("new_card", 24), ("limit_increase", 20), ("charge_dispute", 24), ("lost_card", 17), ("interest_review", 15))

ENDINGS: dict[str, tuple[tuple[str, float], ...]] = {
    "new_card": (
        ("approve", 25), ("policy", 18), ("ratio", 16), ("low_income", 7), ("low_ratio", 6), ("score", 7),
        ("identity", 3), ("match", 11), ("alert", 7), ("authority", 3), ("papers", 6.5),
    ),
    "limit_increase": (
        ("approve", 24), ("policy", 18), ("ratio", 16), ("low_income", 4), ("low_ratio", 3), ("score", 3.5),
        ("too_new", 6), ("raised", 7), ("late", 7), ("over", 7), ("identity", 3), ("alert", 7), ("authority", 5),
        ("papers", 6.5),
    ),
    "charge_dispute": (
        ("approve", 24), ("partial", 42), ("deny", 16), ("authority", 9), ("identity", 3.5), ("oral", 10),
    ),
    "lost_card": (
        ("approve", 26), ("liability", 25), ("lent_part", 17), ("no_use", 6), ("lent", 9), ("small", 7),
        ("authority", 9), ("identity", 5),
    ),
    "interest_review": (("approve", 26), ("partial", 39), ("deny", 21), ("authority", 9), ("identity", 5)),
}  # fmt: skip
"""Endings by kind, with weights."""

OUTCOMES = {
    "approve": ("approve", "none"),
    "policy": ("partial", "limit_by_policy"),
    "ratio": ("partial", "excessive_obligations"),
    "low_income": ("deny", "income_insufficient"),
    "low_ratio": ("deny", "excessive_obligations"),
    "score": ("deny", ""),
    "too_new": ("deny", "account_too_new"),
    "raised": ("deny", "recent_increase"),
    "late": ("deny", "late_payment"),
    "over": ("deny", "over_limit"),
    "identity": ("refer", "identity_not_verified"),
    "match": ("refer", "watch_list_match"),
    "alert": ("refer", "fraud_alert"),
    "authority": ("refer", "above_authority"),
    "papers": ("incomplete", ""),
    "oral": ("incomplete", ""),
    "partial": ("partial", ""),
    "deny": ("deny", ""),
    "liability": ("partial", ""),
    "lent_part": ("partial", ""),
    "no_use": ("deny", ""),
    "lent": ("deny", ""),
    "small": ("deny", ""),
}
"""Decision of each ending; the reason is the solver's to know."""

BRANCHES = {
    "identity": {"identity": "failed"},
    "match": {"watch_list": "true_match"},
    "alert": {"alert": "stopped"},
    "papers": {"papers": "missing"},
    "authority": {"authority": "above"},
    "too_new": {"account": "account_too_new"},
    "raised": {"account": "recent_increase"},
    "late": {"account": "late_payment"},
    "over": {"account": "over_limit"},
    "low_ratio": {"ability": "failed"},
    "ratio": {"ability": "reduced"},
    "policy": {"ability": "within"},
    "no_use": {"unauthorized": "none"},
    "lent": {"unauthorized": "lent"},
    "lent_part": {"unauthorized": "lent"},
    "small": {"liability": "whole"},
    "liability": {"unauthorized": "some"},
}
"""Outcomes of decision points, as the solver reports them, that an ending means."""


_SHARED = {
    "identity": "identity",
    "match": "match",
    "alert": "alert",
    "papers": "papers",
    "score": "score",
    "low_income": "low_limit",
    "low_ratio": "low_limit",
    "too_new": "too_soon",
    "raised": "too_soon",
    "late": "standing",
    "over": "standing",
}


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The choices that steer one case."""

    kind: str
    ending: str
    product: str
    joint: bool
    today: date
    received: date
    completed: date | None
    channel: str
    delivery: str
    complaints: int
    """How many charges a dispute is about, whatever comes of them."""

    @property
    def tag(self) -> str:
        """The ending's name: seldom ones of several kinds go together."""
        shared = _SHARED.get(self.ending)
        if self.ending == "authority" and self.kind in ("new_card", "limit_increase"):
            return "limit_authority"
        return shared or f"{self.kind}_{self.ending}"

    def comes_true(self, decision: str, branches: dict[str, str]) -> bool:
        """Whether a case ends as it was meant to."""
        if decision != OUTCOMES[self.ending][0]:
            return False
        wanted = BRANCHES.get(self.ending, {})
        if self.ending == "score" and branches["score"] not in ("low", "none"):
            return False
        if self.ending == "low_income" and not (
            branches["bound"] != "not_reached" and branches["ability"] == "not_reached"
        ):
            return False
        return all(branches[point] == outcome for point, outcome in wanted.items())


def draw_plan(draw: Draw, policy: CardPolicy) -> Plan:
    """Draw what is to happen."""
    kind = draw.weighted(KINDS)
    ending = draw.weighted(ENDINGS[kind])
    while True:
        today = draw.day(FIRST_DAY, LAST_DAY)
        if is_business_day(today, policy.holidays):
            break
    channel = _channel(draw, kind, ending)
    # A lost card is blocked soon.
    received = today - timedelta(days=draw.integer(1, 2 if kind == "lost_card" else 6))
    while channel == "branch" and not is_business_day(received, policy.holidays):
        received -= timedelta(days=1)
    late_paper = kind in ("new_card", "limit_increase") and draw.chance(0.55)
    completed = draw.day(received, today) if late_paper else None
    return Plan(
        kind=kind,
        ending=ending,
        product=draw.weighted((("classic", 5), ("gold", 4), ("student", 2))),
        joint=draw.chance(0.5 if kind in ("new_card", "limit_increase") else 0.25),
        today=today,
        received=received,
        completed=completed,
        channel=channel,
        delivery=draw.choice(("mail", "email", "branch_pickup")),
        complaints=draw.integer(3, 6),
    )


def _channel(draw: Draw, kind: str, ending: str) -> str:
    if kind == "charge_dispute":
        oral = ending == "oral" or (ending != "identity" and draw.chance(0.4))
        return draw.choice(("phone", "branch") if oral else ("letter", "secure_message"))
    return draw.choice(("letter", "secure_message", "phone", "branch", "branch"))
