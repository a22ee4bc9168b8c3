"""Plans of cases: the kind of request and its ending. Everything else is drawn until the case ends as planned.

The kind is drawn first, then the ending, with similar weights for every kind, so that the request does not reveal the
outcome.
"""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.procedure.scenario import Solution
from teller_gym.scenarios.banking.generator.days import draw_open_day
from teller_gym.scenarios.banking.generator.endings import planned_endings
from teller_gym.scenarios.credit_cards.policy import CardPolicy

FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 12, 11)
"""Range of business dates, chosen so that due dates stay within the SOP's list of holidays."""

ENDINGS = planned_endings(__package__)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Choices that steer one case."""

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
    """Number of disputed charges, justified or not."""

    @property
    def tag(self) -> str:
        """Name of the ending; rare endings of several kinds share one."""
        return ENDINGS.endings[self.kind][self.ending].tag

    def comes_true(self, solution: Solution) -> bool:
        """Return True if a case ends as planned."""
        branches = solution.branches
        if not ENDINGS.endings[self.kind][self.ending].is_met_by(solution):
            return False
        if self.ending == "low_income":
            return branches["bound"] != "not_reached" and branches["ability"] == "not_reached"
        return self.ending != "score" or branches["score"] in ("low", "none")


def draw_plan(draw: Draw, policy: CardPolicy) -> Plan:
    """Draw the kind of request, its ending and its dates."""
    kind = ENDINGS.draw_kind(draw)
    ending = ENDINGS.draw_ending(draw, kind)
    today = draw_open_day(draw, FIRST_DAY, LAST_DAY, policy.holidays)
    channel = _channel(draw, kind, ending)
    # Lost cards are reported shortly before the business date.
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
