"""Plans of generated instances: how the case ends, and which judgements it needs.

The ending is drawn independently of everything that an application shows at once, except where that alone ends the case
(such as an amount out of range), so the form does not reveal the outcome.
"""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day, on_or_before_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.days import open_day
from teller_gym.scenarios.banking.generator.endings import planned_endings
from teller_gym.scenarios.loans.policy import LoanPolicy

FIRST_DAY, LAST_DAY = date(2026, 1, 5), date(2026, 12, 11)
"""Range of business dates, chosen so that due dates stay within the SOP's list of holidays."""

ENDINGS = planned_endings(__package__)

FINANCES = ("approve", "counter_dti", "counter_pti", "counter_collateral", "counter_both", "deny_dti", "deny_pti")
"""Endings that depend only on affordability."""

_AUTO_ONLY = {"counter_pti", "deny_pti", "deny_vehicle"}
_SECURED = {"counter_collateral", "counter_both", "deny_collateral", "incomplete_appraisal", "incomplete_insurance"}
_PRODUCTS = (("home", 1.2), ("auto", 1.1), ("personal", 1.1))

FAULTS = (
    "deny_amount", "deny_term", "incomplete_missing", "incomplete_expired", "deny_identity", "refer", "deny_alert",
    "deny_score", "deny_employment", "incomplete_appraisal", "deny_vehicle", "incomplete_insurance",
)  # fmt: skip
"""Endings in the order in which the procedure finds them; a case may also have a later fault."""

OLD_VEHICLE_YEARS = 8
"""Age from which a vehicle's value and loan are at most ``OLD_VEHICLE_AMOUNT``."""
OLD_VEHICLE_AMOUNT = 2_000_000


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Choices that determine one instance."""

    ending: str
    also: str
    """A fault after the one that ends the case, which makes the order of steps matter; empty if none."""
    finances: str
    """Outcome of the affordability check if the case reaches it, one of ``FINANCES``."""
    product: str
    purpose: str
    property_use: str | None
    vehicle_age: int | None
    by_payment: bool
    """True if the payment-to-income limit is broken besides the collateral's limit."""
    capped: bool
    """True if the collateral supports less than the requested amount."""
    joint: bool
    false_positive: bool
    today: date
    received: date
    completed: date | None

    def has(self, fault: str) -> bool:
        """Return True if the case has the fault, even if another one ends it."""
        return fault in (self.ending, self.also)

    @property
    def housing_replaced(self) -> bool:
        """True if the loan replaces the present housing cost."""
        return self.property_use == "primary"

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags for selecting instances by ending and by trap."""
        named = {"trap:second_fault": self.also != "", "validation": self.ending == "deny_amount"}
        return (f"ending:{self.ending}", *(name for name, holds in named.items() if holds))


def draw_plan(draw: Draw, policy: LoanPolicy) -> Plan:
    """Draw a plan whose choices are consistent."""
    ending = ENDINGS.draw_ending(draw, "application")
    product = _product(draw, ending)
    also = _later_fault(draw, ending, product) if draw.chance(0.35) else ""
    today, received, completed = _dates(draw, policy)
    purpose = "purchase" if product != "personal" else draw.choice(("debt_consolidation", "other"))
    finances = ending if ending in FINANCES else _finances(draw, product)
    return Plan(
        ending=ending,
        also=also,
        finances=finances,
        product=product,
        purpose=purpose,
        property_use=draw.weighted((("primary", 3), ("second_home", 2))) if product == "home" else None,
        vehicle_age=_vehicle_age(draw, policy, "deny_vehicle" in (ending, also)) if product == "auto" else None,
        by_payment=product == "auto" and draw.chance(0.6),
        capped=product != "personal" and _is_capped(draw, ending),
        joint=draw.chance(0.45),
        false_positive=draw.chance(0.2),
        today=today,
        received=received,
        completed=None if {"incomplete_missing", "incomplete_expired"} & {ending, also} else completed,
    )


def _product(draw: Draw, ending: str) -> str:
    """Draw the product among those for which the ending is possible."""
    if ending in _AUTO_ONLY:
        return "auto"
    return draw.weighted(_PRODUCTS[:2] if ending in _SECURED else _PRODUCTS)


def _finances(draw: Draw, product: str) -> str:
    """Draw the affordability outcome that a case would have if it did not end for another reason."""
    return draw.weighted((("approve", 6), ("counter_dti", 3), ("counter_pti", 1 if product == "auto" else 0)))


def _is_capped(draw: Draw, ending: str) -> bool:
    if ending in ("counter_collateral", "counter_both"):
        return True
    # An approval grants the requested amount; other endings exceed the collateral about as often as cases overall.
    return ending not in ("approve", "counter_dti", "counter_pti", "deny_collateral") and draw.chance(0.25)


def _later_fault(draw: Draw, ending: str, product: str) -> str:
    """Draw a fault that the procedure would find only after the one that ends the case; empty if there is none."""
    kind = "refer" if ending.startswith("refer") else ending
    if kind not in FAULTS:
        return ""
    later = [
        fault
        for fault in FAULTS[FAULTS.index(kind) + 1 :]
        if fault != "refer"
        and not (fault in _AUTO_ONLY and product != "auto")
        and not (fault in _SECURED and product == "personal")
    ]
    return draw.choice(later) if later else ""


def _vehicle_age(draw: Draw, policy: LoanPolicy, too_old: bool) -> int:
    """Draw a vehicle's age in model years; the highest allowed age is frequent."""
    limit = policy.vehicle_max_age_years
    if too_old:
        return limit + draw.integer(1, 4)
    return draw.weighted(((0, 30), (draw.integer(1, limit - 1), 60), (limit, 10)))


def _dates(draw: Draw, policy: LoanPolicy) -> tuple[date, date, date | None]:
    """Draw the business date, the receipt date and the recorded completion date of the file, None if not recorded.

    Holidays often shift a due date, whether it is counted from the business date or from the completion date.
    """
    near = draw.weighted((("none", 5), ("today", 3), ("completed", 3)))
    days = sorted(policy.holidays)
    met = [day for day in (day - timedelta(days=policy.notice_days) for day in days) if _is_open(day, policy)]
    if near == "completed" and met:
        completed = draw.choice(met)
        today = open_day(completed + timedelta(days=draw.integer(0, 9)), policy.holidays)
    else:
        ahead = [day - timedelta(days=draw.integer(1, 5)) for day in days]
        start = draw.choice([day for day in ahead if FIRST_DAY <= day <= LAST_DAY]) if near == "today" else None
        today = open_day(start or draw.day(FIRST_DAY, LAST_DAY), policy.holidays)
        completed = on_or_before_business_day(today - timedelta(days=draw.integer(0, 9)), policy.holidays)
    received = on_or_before_business_day(completed - timedelta(days=draw.integer(0, 9)), policy.holidays)
    if draw.chance(0.12):  # no completion date was recorded, so the receipt date counts instead
        return today, completed if near == "completed" else received, None
    return today, received, completed


def _is_open(day: date, policy: LoanPolicy) -> bool:
    return FIRST_DAY <= day <= LAST_DAY and is_business_day(day, policy.holidays)
