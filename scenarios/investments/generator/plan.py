"""Plans of generated instances: the type of request and how the case ends.

The ending is drawn independently of everything that the request shows at once.
"""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import add_business_days, is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.days import draw_open_day
from teller_gym.scenarios.banking.generator.endings import planned_endings
from teller_gym.scenarios.investments.policy import InvestmentPolicy

FIRST_DAY, LAST_DAY = date(2026, 1, 6), date(2026, 12, 16)
"""Range of business dates, chosen so that counted days stay within the SOP's list of holidays."""

TYPES = ("purchase", "sale", "withdrawal", "transfer", "distribution")

ENDINGS = planned_endings(__package__)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Choices that determine one instance."""

    ending: str
    kind: str
    today: date
    instructed_at: str
    trade_date: date
    price_days: tuple[str, ...]
    """Days with prices: the price date, and the neighbouring days that could be mistaken for it."""
    price_day: str
    all_sign: bool
    """True if every owner signs; otherwise one person signs, if one is enough."""
    false_positive: bool

    @property
    def carried(self) -> str:
        """The ending for which the amounts are drawn; the ordinary one if the case ends before they matter."""
        return self.ending if self.ending.startswith(self.kind) else f"{self.kind}_proceed"

    def has(self, ending: str) -> bool:
        """Return True if the case has this ending."""
        return self.ending == ending


def draw_plan(draw: Draw, policy: InvestmentPolicy) -> Plan:
    """Draw the choices of an instance."""
    ending = ENDINGS.draw_ending(draw, "request")
    head = ending.split("_")[0]
    kind = head if head in TYPES else draw.choice(TYPES)
    today = draw_open_day(draw, FIRST_DAY, LAST_DAY, policy.holidays)
    late = draw.chance(0.45)
    trade = add_business_days(today, 1, policy.holidays) if late else today
    days = [today]
    while len(days) < 3:
        before = days[-1] - timedelta(days=1)
        while not is_business_day(before, policy.holidays):
            before -= timedelta(days=1)
        days.append(before)
    return Plan(
        ending=ending,
        kind=kind,
        today=today,
        instructed_at=_instructed_at(draw, policy, today, late),
        trade_date=trade,
        price_days=tuple(day.isoformat() for day in reversed(days)),
        price_day=(days[0] if late else days[1]).isoformat(),
        all_sign=kind != "distribution" and draw.chance(0.4),
        false_positive=draw.chance(0.32),
    )


def _instructed_at(draw: Draw, policy: InvestmentPolicy, today: date, late: bool) -> str:
    """Draw when the instruction was received: late on the business date, or early then or some days before."""
    hour, minute = map(int, policy.order_cutoff.split(":"))
    cutoff = hour * 60 + minute
    if late:
        moment = cutoff if draw.chance(0.3) else draw.integer(cutoff + 1, 19 * 60)
        return f"{today.isoformat()} {moment // 60:02d}:{moment % 60:02d}"
    if draw.chance(0.3):
        before = today - timedelta(days=draw.integer(1, 2))
        moment = draw.integer(8 * 60, 20 * 60)
        return f"{before.isoformat()} {moment // 60:02d}:{moment % 60:02d}"
    moment = cutoff - 1 if draw.chance(0.2) else draw.integer(8 * 60, cutoff - 2)
    return f"{today.isoformat()} {moment // 60:02d}:{moment % 60:02d}"
