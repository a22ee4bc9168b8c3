"""What is meant to happen in an instance: how the case ends, and which boundaries and traps it holds."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.scenarios.loans.policy import LoanPolicy

FIRST_DAY, LAST_DAY = date(2026, 1, 5), date(2026, 12, 11)
"""Business dates lie between these; due dates stay within the SOP's list of holidays."""

ENDINGS: tuple[tuple[str, float], ...] = (
    ("approve", 33),
    ("counter_dti", 8),
    ("counter_pti", 4),
    ("counter_collateral", 5),
    ("deny_amount", 4),
    ("deny_term", 2),
    ("deny_identity", 4),
    ("deny_alert", 3),
    ("deny_score", 8),
    ("deny_employment", 4),
    ("deny_vehicle", 2),
    ("deny_collateral", 2),
    ("deny_dti", 3),
    ("deny_pti", 2),
    ("incomplete_missing", 5),
    ("incomplete_expired", 5),
    ("incomplete_appraisal", 3),
    ("incomplete_insurance", 3),
    ("refer_sanctions", 2.5),
    ("refer_pep", 2.5),
    ("refer_enforcement", 2.5),
)
"""How cases are meant to end, with weights."""

_AUTO_ONLY = {"counter_pti", "deny_pti", "deny_vehicle"}
_SECURED = {"counter_collateral", "deny_collateral", "incomplete_appraisal", "incomplete_insurance"}
_PRODUCTS = (("home", 1.0), ("auto", 1.2), ("personal", 1.2))

_BOUNDARIES: dict[str, tuple[str, ...]] = {
    "approve": (
        "score=limit", "score=limit+1", "dti=limit", "dti=limit-0.01", "pti=limit", "pti=limit-0.01", "ltv=limit",
        "ltv=limit-", "exposure=limit", "exposure=limit+0.01", "exposure=limit-0.01", "report=limit-1",
        "report=limit", "report=limit+1", "amount=min", "amount=max",
    ),
    "counter_dti": ("dti=limit+0.01", "exposure=limit", "exposure=limit+0.01"),
    "counter_pti": ("pti=limit+0.01",),
    "counter_collateral": ("ltv=limit+",),
    "deny_score": ("score=limit-1",),
    "deny_amount": ("amount=min-0.01", "amount=max+0.01"),
}  # fmt: skip
_BOUNDARY_SHARE = 0.45

FAULTS = (
    "deny_amount", "deny_term", "incomplete_missing", "incomplete_expired", "deny_identity", "refer", "deny_alert",
    "deny_score", "deny_employment", "incomplete_appraisal", "deny_vehicle", "incomplete_insurance",
)  # fmt: skip
"""Endings in the order in which the procedure comes upon them; a case may hold a later one, too."""

OLD_VEHICLE_YEARS = 8
"""From this age on a vehicle is worth, and lent on, no more than ``OLD_VEHICLE_AMOUNT``."""
OLD_VEHICLE_AMOUNT = 2_000_000


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The choices that steer one instance."""

    ending: str
    also: str
    """A fault that comes after the one that ends the case, so that the order of the steps decides; empty if none."""
    boundary: str
    product: str
    purpose: str
    property_use: str | None
    vehicle_age: int | None
    joint: bool
    false_positive: bool
    alert: str
    report: str
    former_name: bool
    orders_in_note: bool
    second_application: bool
    today: date

    def has(self, fault: str) -> bool:
        """Whether the case holds the fault, be it what ends it or not."""
        return fault in (self.ending, self.also)

    @property
    def housing_replaced(self) -> bool:
        """Whether the loan takes the place of the present housing cost."""
        return self.property_use == "primary"

    @property
    def tags(self) -> tuple[str, ...]:
        """Marks by which instances are found again."""
        named = {
            "trap:former_name": self.former_name,
            "trap:orders_in_note": self.orders_in_note,
            "trap:second_application": self.second_application,
            "trap:second_fault": self.also != "",
            "validation": self.boundary.startswith("amount") or self.ending == "deny_amount",
        }
        extra = (f"boundary:{self.product}:{self.boundary}",) if self.boundary else ()
        return (f"ending:{self.ending}", *extra, *(name for name, holds in named.items() if holds))


def draw_plan(draw: Draw, policy: LoanPolicy) -> Plan:
    """Draw a plan whose parts fit together."""
    ending = draw.weighted(ENDINGS)
    boundary = ""
    if ending in _BOUNDARIES and draw.chance(_BOUNDARY_SHARE):
        boundary = draw.choice(_BOUNDARIES[ending])
    product = draw.weighted(_PRODUCTS)
    if ending in _AUTO_ONLY or boundary.startswith("pti"):
        product = "auto"
    elif (ending in _SECURED or boundary.startswith("ltv")) and product == "personal":
        product = draw.choice(("home", "auto"))
    elif boundary.startswith("exposure") and product == "home":
        product = draw.choice(("auto", "personal"))
    purpose, property_use = "purchase", None
    if product == "personal":
        purpose = draw.choice(("debt_consolidation", "other"))
    if product == "home":
        property_use = draw.choice(("primary", "primary", "primary", "second_home"))
    also = _later_fault(draw, ending, product) if draw.chance(0.35) and not boundary.startswith("amount") else ""
    report = {"report=limit-1": "reuse", "report=limit": "reuse", "report=limit+1": "stale"}.get(boundary)
    alert = draw.weighted((("none", 85), ("initial", 6), ("extended", 5), ("active_duty", 4)))
    return Plan(
        ending=ending,
        also=also,
        boundary=boundary,
        product=product,
        purpose=purpose,
        property_use=property_use,
        vehicle_age=_vehicle_age(draw, policy, boundary, "deny_vehicle" in (ending, also))
        if product == "auto"
        else None,
        joint=draw.chance(0.25) and boundary == "",
        false_positive=draw.chance(0.16) and not ending.startswith("refer"),
        alert=draw.choice(("initial", "extended", "active_duty")) if "deny_alert" in (ending, also) else alert,
        report=report or draw.weighted((("reuse", 4), ("stale", 3), ("none", 2))),
        former_name=draw.chance(0.1) and "deny_identity" not in (ending, also),
        orders_in_note=draw.chance(0.3),
        second_application=draw.chance(0.35),
        today=_business_day(draw, policy),
    )


def _later_fault(draw: Draw, ending: str, product: str) -> str:
    """Draw a fault that the procedure would come upon after the one that ends the case; empty if there is none."""
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


def _vehicle_age(draw: Draw, policy: LoanPolicy, boundary: str, too_old: bool) -> int:
    """Draw the years between a vehicle's model year and the business date's; the limit itself comes up often."""
    limit = policy.vehicle_max_age_years
    if boundary.startswith(("ltv", "amount")):
        return draw.integer(0, OLD_VEHICLE_YEARS - 1)
    if too_old:
        return limit + draw.choice((1, draw.integer(1, 5)))
    return draw.weighted(((0, 30), (draw.integer(1, limit - 1), 60), (limit, 10)))


def _business_day(draw: Draw, policy: LoanPolicy) -> date:
    today = draw.day(FIRST_DAY, LAST_DAY)
    while not is_business_day(today, policy.holidays):
        today += timedelta(days=1)
    return today
