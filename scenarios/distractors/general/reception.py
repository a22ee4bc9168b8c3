"""The reception desk of the bank's tower: parking permits, visitor badges, things found, and the desk's register."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general.meeting_rooms import Clock, span_of
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Category, Result, tool

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Level = Literal["P1", "P2", "P3"]
Zone = Literal["lobby", "meeting_floor", "canteen", "offices", "archive", "server_room"]
FoundCategory = Literal["clothing", "electronics", "keys", "papers", "umbrella", "other"]
RecordKind = Literal["parking_permit", "visitor_badge", "found_item"]

_REGISTER = "misc_reception_register"
_SPACES: dict[Level, int] = {"P1": 8, "P2": 20, "P3": 20}
_CHARGERS: dict[Level, int] = {"P1": 4, "P2": 2, "P3": 0}
_HEIGHT: dict[Level, float] = {"P1": 2.6, "P2": 2.0, "P3": 2.0}
_KEPT_DAYS: dict[FoundCategory, int] = {
    "clothing": 30,
    "electronics": 90,
    "keys": 60,
    "papers": 60,
    "umbrella": 14,
    "other": 30,
}
_LONGEST_PERMIT, _DAYS_AHEAD, _SHOWN = 31, 180, 8


def _check_text(field: str, text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise invalid(field, f"expected a line of readable text, got {text!r}")
    return " ".join(text.split())


def _check_day(bank: Bank, field: str, day: date) -> None:
    if not 0 <= (day - bank.today).days <= _DAYS_AHEAD:
        raise invalid(field, f"expected {bank.today} or up to {_DAYS_AHEAD} days later, got {day}")


def _valid_on(bank: Bank, kind: RecordKind, day: date) -> list[tuple[str, Record]]:
    """The entries of a kind that hold on a day, by id."""
    iso = day.isoformat()
    return sorted(
        ((key, row) for key, row in bank.rows(_REGISTER) if row["kind"] == kind and row["from"] <= iso <= row["until"]),
        key=lambda entry: entry[0],
    )


def _enter(bank: Bank, key: str, kind: RecordKind, first: date, last: date, label: str, detail: Record) -> None:
    span = {"from": first.isoformat(), "until": last.isoformat()}
    bank.put(_REGISTER, key, {"owner": "misc", "kind": kind, **span, "label": label, **detail})


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
    if not 1 <= days <= _LONGEST_PERMIT:
        raise invalid("last_day", f"expected {first_day} or up to {_LONGEST_PERMIT - 1} days later, got {last_day}")
    if vehicle_height_m > _HEIGHT[level]:
        raise invalid("vehicle_height_m", f"expected at most {_HEIGHT[level]} on {level}, got {vehicle_height_m}")
    left = _SPACES[level]
    for day in (first_day + timedelta(days=i) for i in range(days)):
        permits = [row for _, row in _valid_on(bank, "parking_permit", day)]
        if any(row["label"] == plate for row in permits):
            raise invalid("plate", f"expected a plate without a permit on {day}, got {plate}; choose other days")
        parked = [row for row in permits if row["level"] == level]
        if charging and sum(row["charging"] for row in parked) >= _CHARGERS[level]:
            raise invalid("charging", f"no charger is free on {level} on {day}; choose another level or day")
        left = min(left, _SPACES[level] - len(parked) - 1)
    if left < 0:
        raise invalid("level", f"{level} is full on one of the days; choose another level")
    permit_id = bank.reference("PP", plate, level, str(first_day), str(last_day), str(charging))
    _enter(bank, permit_id, "parking_permit", first_day, last_day, plate, {"level": level, "charging": charging})
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
    visitor, host = _check_text("visitor_name", visitor_name), _check_text("host_name", host_name)
    if visitor.casefold() == host.casefold():
        raise invalid("host_name", f"expected somebody other than the visitor, got {host!r}")
    label = visitor if company is None else f"{visitor}, {_check_text('company', company)}"
    start, end = span_of(arrival_time, departure_time, "departure_time")
    red, yellow = "archive" in zones or "server_room" in zones, "offices" in zones
    if red and not identity_shown:
        raise invalid("identity_shown", "expected true for archive and server room; ask for an identity card")
    badge_id = bank.reference("VB", label, host, str(visit_day), arrival_time, departure_time, *sorted(zones))
    colour: Literal["green", "yellow", "red"] = "red" if red else "yellow" if yellow else "green"
    _enter(bank, badge_id, "visitor_badge", visit_day, visit_day, label, {"host": host, "colour": colour})
    return VisitorBadge(badge_id=badge_id, colour=colour, escort_needed=red or yellow, valid_minutes=end - start)


class FoundItem(Result):
    """The thing as stored, and how many things of the category are on the shelf with it."""

    item_id: str
    kept_until: date
    shelf: str
    things_on_shelf: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def log_found_item(bank: Bank, category: FoundCategory, description: Name, found_on: date, found_in: Zone) -> FoundItem:
    """Log a thing found in the tower for lost and found; umbrellas are kept 14 days, electronics 90, others between.

    Args:
        category: What kind of thing.
        description: What it looks like.
        found_on: When it was found, within the last 14 days.
        found_in: Where.
    """
    if not 0 <= (bank.today - found_on).days < 14:
        raise invalid("found_on", f"expected {bank.today} or up to 13 days earlier, got {found_on}")
    label = _check_text("description", description)
    until = found_on + timedelta(days=_KEPT_DAYS[category])
    item_id = bank.reference("LF", category, label, str(found_on), found_in)
    _enter(bank, item_id, "found_item", found_on, until, label, {"category": category, "found_in": found_in})
    kept = [row for _, row in _valid_on(bank, "found_item", bank.today) if row["category"] == category]
    return FoundItem(item_id=item_id, kept_until=until, shelf=f"LF-{category}", things_on_shelf=len(kept))


class RegisterEntry(Result):
    """An entry: the plate, visitor or thing."""

    record_id: str
    label: str
    valid_until: str


class RegisterList(Result):
    """Entries by id, at most eight."""

    entries: list[RegisterEntry]
    total_found: int


@tool(category=Category.GENERAL_DISTRACTOR)
def list_reception_register(
    bank: Bank,
    record_kind: RecordKind,
    day: date,
    search_text: Annotated[str, Meta(min_length=1, max_length=40)] | None = None,
) -> RegisterList:
    """List what the reception's register holds for a day: parking permits, visitor badges, or things found and kept.

    Args:
        record_kind: Which entries.
        day: The day on which they hold.
        search_text: Only entries whose plate, visitor, company or description contains this.
    """
    wanted = (search_text or "").casefold()
    found = [(key, row) for key, row in _valid_on(bank, record_kind, day) if wanted in row["label"].casefold()]
    entries = [RegisterEntry(record_id=key, label=row["label"], valid_until=row["until"]) for key, row in found]
    return RegisterList(entries=entries[:_SHOWN], total_found=len(found))
