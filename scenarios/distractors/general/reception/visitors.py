"""Parking permits and badges of visitors."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._clock_times import Clock, span_of
from teller_gym.scenarios.distractors.general.reception._entries import (
    DAYS_AHEAD,
    LONGEST_PERMIT,
    Name,
    Zone,
    check_text,
    enter,
    valid_on,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Level = Literal["P1", "P2", "P3"]
_SPACES: dict[Level, int] = {"P1": 8, "P2": 20, "P3": 20}
_CHARGERS: dict[Level, int] = {"P1": 4, "P2": 2, "P3": 0}
_HEIGHT: dict[Level, float] = {"P1": 2.6, "P2": 2.0, "P3": 2.0}


def _check_day(bank: Bank, field: str, day: date) -> None:
    if not 0 <= (day - bank.today).days <= DAYS_AHEAD:
        raise invalid(field, f"expected {bank.today} or up to {DAYS_AHEAD} days later, got {day}")


class ParkingPermit(Result):
    """The permit; ``spaces_left`` on the fullest day of its span, on that level."""

    permit_id: str
    level: Level
    days: int
    spaces_left: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def request_parking_permit(
    bank: Bank,
    plate: Annotated[str, Meta(pattern="^[A-Z0-9][A-Z0-9-]{1,8}[A-Z0-9]$", max_length=10)],
    level: Level,
    first_day: date,
    last_day: date,
    vehicle_height_m: Annotated[float, Meta(ge=0.8, le=4)] = 1.6,
    charging: bool = False,
) -> ParkingPermit:
    """Request a permit to park in the tower's garage for up to 31 days.

    Args:
        plate: The vehicle's number plate in capitals, such as KX-4471.
        level: Level of the garage; vehicles above 2 metres fit on P1 only.
        first_day: First day, today at the earliest.
        last_day: Last day.
        vehicle_height_m: Height of the vehicle in metres.
        charging: Whether it needs a space with a charger.
    """
    plate = plate.strip()
    _check_day(bank, "first_day", first_day)
    days = (last_day - first_day).days + 1
    if not 1 <= days <= LONGEST_PERMIT:
        raise invalid("last_day", f"expected {first_day} or up to {LONGEST_PERMIT - 1} days later, got {last_day}")
    if vehicle_height_m > _HEIGHT[level]:
        raise invalid("vehicle_height_m", f"expected at most {_HEIGHT[level]} on {level}, got {vehicle_height_m}")
    left = _SPACES[level]
    for day in (first_day + timedelta(days=i) for i in range(days)):
        permits = [row for _, row in valid_on(bank, "parking_permit", day)]
        if any(row["label"] == plate for row in permits):
            raise invalid("plate", f"expected a plate without a permit on {day}, got {plate}; choose other days")
        parked = [row for row in permits if row["level"] == level]
        if charging and sum(row["charging"] for row in parked) >= _CHARGERS[level]:
            raise invalid("charging", f"no charger is free on {level} on {day}; choose another level or day")
        left = min(left, _SPACES[level] - len(parked) - 1)
    if left < 0:
        raise invalid("level", f"{level} is full on one of the days; choose another level")
    permit_id = bank.reference("PP", plate, level, str(first_day), str(last_day), str(charging))
    enter(bank, permit_id, "parking_permit", first_day, last_day, plate, {"level": level, "charging": charging})
    return ParkingPermit(permit_id=permit_id, level=level, days=days, spaces_left=left)


class VisitorBadge(Result):
    """The badge; green may walk alone, yellow and red only with the host."""

    badge_id: str
    colour: Literal["green", "yellow", "red"]
    escort_needed: bool
    valid_minutes: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def issue_visitor_badge(
    bank: Bank,
    visitor_name: Name,
    host_name: Name,
    visit_day: date,
    arrival_time: Clock,
    departure_time: Clock,
    zones: Annotated[list[Zone], Meta(min_length=1, max_length=6)],
    identity_shown: bool,
    company: Annotated[str, Meta(min_length=1, max_length=40)] | None = None,
) -> VisitorBadge:
    """Issue a visitor's badge for the tower; its colour follows from the most protected zone of the visit.

    Args:
        visitor_name: Who visits.
        host_name: Who receives them.
        visit_day: Day of the visit, up to 180 days ahead.
        arrival_time: When they come, such as 09:30.
        departure_time: When they go.
        zones: Where they go; offices are yellow, archive and server room red, the others green.
        identity_shown: Whether an identity card was shown; red badges need one.
        company: Where they come from.
    """
    _check_day(bank, "visit_day", visit_day)
    visitor, host = check_text("visitor_name", visitor_name), check_text("host_name", host_name)
    if visitor.casefold() == host.casefold():
        raise invalid("host_name", f"expected somebody other than the visitor, got {host!r}")
    label = visitor if company is None else f"{visitor}, {check_text('company', company)}"
    start, end = span_of(arrival_time, departure_time, "departure_time")
    red, yellow = "archive" in zones or "server_room" in zones, "offices" in zones
    if red and not identity_shown:
        raise invalid("identity_shown", "expected true for archive and server room; ask for an identity card")
    badge_id = bank.reference("VB", label, host, str(visit_day), arrival_time, departure_time, *sorted(zones))
    colour: Literal["green", "yellow", "red"] = "red" if red else "yellow" if yellow else "green"
    enter(bank, badge_id, "visitor_badge", visit_day, visit_day, label, {"host": host, "colour": colour})
    return VisitorBadge(badge_id=badge_id, colour=colour, escort_needed=red or yellow, valid_minutes=end - start)
