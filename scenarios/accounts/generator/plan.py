"""Plans of cases: the kind of request and the ending.

The ending is drawn independently of everything that the request shows at once, except for facts that end the case by
themselves, such as a post box as the address. The request therefore does not reveal the outcome.
"""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.days import open_day
from teller_gym.scenarios.banking.generator.endings import planned_endings
from teller_gym.scenarios.banking.generator.words import bank_words

FIRST_DAY, LAST_DAY = date(2026, 1, 5), date(2026, 12, 11)
"""Range of business dates, chosen so that counted business days stay within the SOP's list of holidays."""

FINDINGS = ("not_covered", "late_notice", "authorized")
RESTRICTIONS = ("legal_hold", "owner_deceased", "compliance_review")
ENDINGS = planned_endings(__package__)


class Plan(msgspec.Struct, frozen=True):
    """Choices that steer one case."""

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
        """Return True if the planned ending is one of these."""
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
"""Channels that receive requests on days on which the bank is closed."""


def draw_plan(draw: Draw, policy: AccountPolicy, kind: str | None = None) -> Plan:
    """Draw the kind of request (unless given), its ending and its dates."""
    kind = kind or ENDINGS.draw_kind(draw)
    name = ENDINGS.draw_ending(draw, kind)
    ending = ENDINGS.endings[kind][name]
    channel = draw.weighted(_CHANNELS[kind])
    if name == "claim_unconfirmed":
        channel = "phone"
    today, received = _dates(draw, policy, kind, name, channel)
    reason, time = draw.choice(ending.reasons), _time(draw, policy, channel)
    place = draw.choice(bank_words()["places"])
    return Plan(kind, name, ending.decision, reason, today, received, time, channel, place)


def _dates(draw: Draw, policy: AccountPolicy, kind: str, ending: str, channel: str) -> tuple[date, date]:
    """Draw the business date and the day of receipt, often with a holiday in between."""
    if kind == "dormancy_review" and draw.chance(0.85):
        start = draw.day(date(2026, 7, 6), date(2026, 11, 5))
    elif draw.chance(0.7):
        past = kind in (
            "deposit_review",
            "transfer_claim",
            "stop_payment",
        )  # these look back, so the holiday precedes the business date
        near = [day + timedelta(days=draw.integer(*((-2, 7) if past else (-8, -1)))) for day in sorted(policy.holidays)]
        start = draw.choice([day for day in near if FIRST_DAY <= day <= LAST_DAY])
    else:
        start = draw.day(FIRST_DAY, LAST_DAY)
    today = open_day(start, policy.holidays)
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
    elif kind == "dormancy_review":
        back = draw.integer(0, 24)
    else:
        back = draw.integer(0, 9)
    received = today - timedelta(days=back)
    if kind == "stop_payment" and draw.chance(0.7):
        while received.weekday() not in (3, 4):  # so that a weekend falls into the notice period
            received -= timedelta(days=1)
    while channel not in _OFTEN_CLOSED and not is_business_day(received, policy.holidays):
        received -= timedelta(days=1)
    if kind == "deposit_review" and channel in _OFTEN_CLOSED and draw.chance(0.3):
        received = _closed_day(received, policy)
    return today, received


def _closed_day(day: date, policy: AccountPolicy) -> date:
    """Return the last day up to this one on which the bank is closed."""
    while is_business_day(day, policy.holidays):
        day -= timedelta(days=1)
    return day


def _time(draw: Draw, policy: AccountPolicy, channel: str) -> str:
    """Draw a time of day, sometimes exactly at the cut-off; no request comes later than 90 minutes after it."""
    cutoff = int(policy.cutoffs[channel][:2]) * 60 + int(policy.cutoffs[channel][3:])
    minutes = draw.weighted(
        ((cutoff, 1.2), (draw.integer(9 * 60, cutoff - 1), 5), (cutoff + draw.integer(1, 90), 5), (cutoff + 1, 0.6))
    )
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
