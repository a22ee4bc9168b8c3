"""Plans of cases: the kind of request and the ending.

The ending is drawn independently of everything that the request shows at once, except for facts that end the case by
themselves, such as a purpose that is not permitted. The request therefore does not reveal the outcome.
"""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.days import open_day
from teller_gym.scenarios.banking.generator.endings import planned_endings
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.scenarios.savings.policy import SavingsPolicy

FIRST_DAY, LAST_DAY = date(2026, 1, 5), date(2026, 12, 11)
"""Range of business dates, chosen so that counted business days stay within the SOP's list of holidays."""

ENDINGS = planned_endings(__package__)


class Plan(msgspec.Struct, frozen=True):
    """Choices that steer one case."""

    kind: str
    ending: str
    decision: str
    reason: str
    today: date
    received: date
    channel: str
    place: list[str]

    def ends(self, *names: str) -> bool:
        """Return True if the planned ending is one of these."""
        return self.ending in names


def draw_plan(draw: Draw, policy: SavingsPolicy) -> Plan:
    """Draw the kind of request, its ending and its dates."""
    kind = ENDINGS.draw_kind(draw)
    name = ENDINGS.draw_ending(draw, kind)
    ending = ENDINGS.endings[kind][name]
    today = open_day(_start(draw, policy, kind), policy.holidays)
    channel = draw.choice(("branch", "phone", "online", "mail"))
    received = today - timedelta(days=draw.integer(0, 9))
    while channel in ("branch", "mail") and not is_business_day(received, policy.holidays):
        received -= timedelta(days=1)
    return Plan(
        kind, name, ending.decision, draw.choice(ending.reasons), today, received, channel,
        draw.choice(bank_words()["places"]),
    )  # fmt: skip


def _start(draw: Draw, policy: SavingsPolicy, kind: str) -> date:
    """Draw a start date; renewals are often soon after a rate change, and all kinds are often near a holiday."""
    if kind == "maturity" and draw.chance(0.5):
        change = draw.choice([sheet.since for sheet in policy.rate_sheets[1:]])
        return change + timedelta(days=draw.integer(1, 16))
    if draw.chance(0.4):
        near = [day - timedelta(days=draw.integer(1, 8)) for day in sorted(policy.holidays)]
        return draw.choice([day for day in near if FIRST_DAY <= day <= LAST_DAY])
    return draw.day(FIRST_DAY, LAST_DAY)
