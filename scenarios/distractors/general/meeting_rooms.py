"""Meeting rooms of the bank's tower: which fit, who booked them, how well they are used, how many seats they take."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib import resources
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.text import did_you_mean
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Category, Result, tool

Clock = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", max_length=5)]
RoomName = Annotated[str, Meta(min_length=1, max_length=20)]
Text = Annotated[str, Meta(min_length=1, max_length=40)]
Heads = Annotated[int, Meta(ge=1, le=100)]
Minutes = Annotated[int, Meta(ge=1, le=600)]
MinuteList = Annotated[list[Minutes], Meta(min_length=1, max_length=15)]
Clocks = Annotated[list[Clock], Meta(min_length=1, max_length=15)]
HeadList = Annotated[list[Heads], Meta(min_length=1, max_length=15)]
Metres = Annotated[float, Meta(ge=1, le=60)]
ShortMetres = Annotated[float, Meta(ge=0.3, le=5)]
Equipment = Literal["screen", "projector", "whiteboard", "flipchart", "video_system", "phone", "hearing_loop"]

_BOOKINGS = "misc_room_bookings"
_OPENS, _CLOSES, _DAYS_AHEAD, _SHOWN = 7 * 60, 20 * 60, 180, 7


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the house table."""

    name: str
    floor: int
    seats: int
    step_free: bool
    equipment: list[Equipment]


@cache
def _rooms() -> dict[str, Room]:
    table = resources.files("teller_gym.scenarios.distractors.general").joinpath("meeting_rooms.yaml").read_bytes()
    return {room.name: room for room in msgspec.yaml.decode(table, type=list[Room])}


def _room(name: str) -> Room:
    if name not in _rooms():
        raise invalid("room", f"there is no meeting room {name!r}{did_you_mean(name, _rooms())}")
    return _rooms()[name]


def minute_of(clock: str) -> int:
    """Return the minute of the day of a time such as 09:30."""
    return 60 * int(clock[:2]) + int(clock[3:])


def clock_of(minute: int) -> str:
    """Return a minute of the day as a time."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def span_of(start_time: str, end_time: str, field: str = "end_time") -> tuple[int, int]:
    """Return two times as minutes of the day; refuses an end that is not after the start."""
    start, end = minute_of(start_time), minute_of(end_time)
    if end <= start:
        raise invalid(field, f"expected a time after {start_time}, got {end_time}")
    return start, end


def same_length(field: str, values: list[int], count: int) -> None:
    """Refuse a list that does not go with the first one."""
    if len(values) != count:
        raise invalid(field, f"expected {count} numbers, one for each entry of the first list, got {len(values)}")


def _clashes(bank: Bank, day: date, start: int, end: int) -> dict[str, str]:
    """The id of a booking in the span by room."""
    rows = [(key, row) for key, row in bank.rows(_BOOKINGS) if row["day"] == day.isoformat()]
    return {
        row["room"]: key for key, row in rows if row["status"] == "booked" and row["start"] < end and start < row["end"]
    }


class RoomsFound(Result):
    """Names of the rooms, best fit first: fewest spare seats, then the lower floor."""

    rooms: list[str]
    floors: list[int]
    spare_seats: list[int]
    total_found: int


@tool(category=Category.GENERAL_DISTRACTOR)
def find_meeting_rooms(
    bank: Bank,
    attendees: Heads,
    equipment: Annotated[list[Equipment], Meta(max_length=7)] | None = None,
    step_free: bool = False,
    day: date | None = None,
    start_time: Clock | None = None,
    end_time: Clock | None = None,
    limit: Annotated[int, Meta(ge=1, le=15)] = 5,
) -> RoomsFound:
    """Find meeting rooms of the tower by size and equipment; with a day and times, free ones only.

    Args:
        attendees: How many seats are needed.
        equipment: What must be in the room.
        step_free: Whether the room must be reached without steps.
        day: Day on which the room must be free; needs both times.
        start_time: From when it must be free, such as 09:30.
        end_time: Until when.
        limit: Most rooms to show.
    """
    taken: dict[str, str] = {}
    if day is not None and start_time is not None and end_time is not None:
        taken = _clashes(bank, day, *span_of(start_time, end_time))
    elif (day, start_time, end_time) != (None, None, None):
        raise invalid("day", "expected day, start_time and end_time together; give all three or none")
    fits = [
        room
        for room in _rooms().values()
        if room.seats >= attendees and room.step_free >= step_free and room.name not in taken
        if all(item in room.equipment for item in equipment or ())
    ]
    fits.sort(key=lambda room: (room.seats, room.floor, room.name))
    return RoomsFound(
        rooms=[room.name for room in fits[:limit]],
        floors=[room.floor for room in fits[:limit]],
        spare_seats=[room.seats - attendees for room in fits[:limit]],
        total_found=len(fits),
    )


class Booking(Result):
    """A booking of a meeting room; ``time`` is such as 09:00-10:30."""

    booking_id: str
    room: str
    day: str
    time: str
    minutes: int
    organiser: str
    subject: str
    status: str


def _booking(key: str, row: Record) -> Booking:
    shown = {name: row[name] for name in ("room", "day", "organiser", "subject", "status")}
    minutes, time = row["end"] - row["start"], f"{clock_of(row['start'])}-{clock_of(row['end'])}"
    return Booking(booking_id=key, time=time, minutes=minutes, **shown)


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def book_meeting_room(
    bank: Bank,
    room: RoomName,
    day: date,
    start_time: Clock,
    end_time: Clock,
    attendees: Heads,
    organiser: Text,
    subject: Text,
) -> Booking:
    """Book a meeting room of the tower between 07:00 and 20:00, at most 180 days ahead.

    Args:
        room: Name of the room, such as Beech.
        day: Day of the meeting.
        start_time: Start, such as 09:30.
        end_time: End, at least 15 minutes later.
        attendees: How many people come.
        organiser: Who books.
        subject: Title on the door sign.
    """
    seats, (start, end) = _room(room).seats, span_of(start_time, end_time)
    if not 0 <= (day - bank.today).days <= _DAYS_AHEAD:
        raise invalid("day", f"expected {bank.today} or up to {_DAYS_AHEAD} days later, got {day}")
    if start < _OPENS or end > _CLOSES or end - start < 15:
        raise invalid("end_time", f"expected 15 minutes or more in 07:00-20:00, got {start_time}-{end_time}")
    if attendees > seats:
        raise invalid("attendees", f"expected at most {seats} in {room}, got {attendees}; choose a larger room")
    for field, text in (("organiser", organiser), ("subject", subject)):
        if not text.strip() or not text.isprintable():
            raise invalid(field, f"expected a line of readable text, got {text!r}")
    if room in (clashes := _clashes(bank, day, start, end)):
        raise invalid("start_time", f"{room} is taken then by {clashes[room]}; choose another time or room")
    row: Record = {"room": room, "day": day.isoformat(), "start": start, "end": end, "attendees": attendees}
    row |= {"organiser": organiser, "subject": subject}
    booking_id = bank.reference("RB", *map(str, row.values()))
    row |= {"owner": "misc", "status": "booked"}
    bank.put(_BOOKINGS, booking_id, row)
    return _booking(booking_id, row)


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def cancel_room_booking(bank: Bank, booking_id: Annotated[str, Meta(pattern="^RB-[0-9]{6}$", max_length=9)]) -> Booking:
    """Cancel a booking of a meeting room, so that the room is free again.

    Args:
        booking_id: The booking, as the booking or the day's list shows it.
    """
    row = bank.get(_BOOKINGS, booking_id)
    if row is None or row["status"] != "booked":
        found = "no booking" if row is None else "a cancelled booking"
        raise invalid("booking_id", f"expected a booking in force, got {found}, {booking_id}; list the day's bookings")
    return _booking(booking_id, bank.update(_BOOKINGS, booking_id, status="cancelled"))


class BookingList(Result):
    """Bookings by start and room, at most seven; ``booked_minutes`` counts all that are not cancelled."""

    bookings: list[Booking]
    total_found: int
    booked_minutes: int


@tool(category=Category.GENERAL_DISTRACTOR)
def list_room_bookings(
    bank: Bank, day: date, room: RoomName | None = None, include_cancelled: bool = False
) -> BookingList:
    """List a day's bookings of meeting rooms, at most seven of them, with all the minutes booked.

    Args:
        day: The day.
        room: Only this room.
        include_cancelled: Whether cancelled bookings are listed too.
    """
    wanted = list(_rooms()) if room is None else [_room(room).name]
    states = ("booked", "cancelled") if include_cancelled else ("booked",)
    rows = [(key, row) for key, row in bank.rows(_BOOKINGS) if row["day"] == day.isoformat() and row["room"] in wanted]
    found = sorted(
        (_booking(key, row) for key, row in rows if row["status"] in states),
        key=lambda booking: (booking.time, booking.room, booking.booking_id),
    )
    booked = sum(booking.minutes for booking in found if booking.status == "booked")
    return BookingList(bookings=found[:_SHOWN], total_found=len(found), booked_minutes=booked)


class Utilisation(Result):
    """Minutes within opening hours; percentages with one decimal; ``seat_fill_percent`` is weighted by minutes."""

    used_minutes: int
    utilisation_percent: float
    double_booked_minutes: int
    longest_gap_minutes: int
    seat_fill_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_room_utilisation(
    bank: Bank,
    room: RoomName,
    opens_at: Clock,
    closes_at: Clock,
    meeting_starts: Clocks,
    meeting_minutes: MinuteList,
    attendees: HeadList,
) -> Utilisation:
    """Measure how well a meeting room was used on a day, from a list of its meetings; only opening hours count.

    Args:
        room: Name of the room.
        opens_at: Start of the opening hours, such as 08:00.
        closes_at: End of the opening hours.
        meeting_starts: When each meeting began.
        meeting_minutes: How long each meeting took, in the same order.
        attendees: How many people came to each meeting, in the same order.
    """
    seats, (opens, closes) = _room(room).seats, span_of(opens_at, closes_at, "closes_at")
    same_length("meeting_minutes", meeting_minutes, len(meeting_starts))
    same_length("attendees", attendees, len(meeting_starts))
    if max(attendees) > seats:
        raise invalid("attendees", f"expected at most the {seats} seats of {room}, got {max(attendees)}")
    total = used = filled = gap = 0
    until = opens
    for start_time, minutes, heads in sorted(zip(meeting_starts, meeting_minutes, attendees, strict=True)):
        start, end = max(minute_of(start_time), opens), min(minute_of(start_time) + minutes, closes)
        if end > start:
            total += end - start
            filled += (end - start) * heads
            gap = max(gap, start - until)
            used += max(0, end - max(start, until))
            until = max(until, end)
    return Utilisation(
        used_minutes=used,
        utilisation_percent=round(100 * used / (closes - opens), 1),
        double_booked_minutes=total - used,
        longest_gap_minutes=max(gap, closes - until),
        seat_fill_percent=round(100 * filled / (total * seats), 1) if total else 0.0,
    )


def _cm(metres: float) -> int:
    return round(metres * 100)


class Seating(Result):
    """Seats in all, rows of chairs, chairs in the longest row; square metres a seat with two decimals."""

    seats: int
    rows: int
    longest_row: int
    square_metres_a_seat: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_seating_layout(
    bank: Bank,
    layout: Literal["theatre", "classroom", "boardroom", "u_shape"],
    room_length_m: Metres,
    room_width_m: Metres,
    front_clearance_m: Metres = 2,
    aisle_width_m: ShortMetres = 1,
    seat_width_m: ShortMetres = 0.6,
    row_depth_m: ShortMetres = 0.9,
    table_depth_m: ShortMetres = 0.5,
) -> Seating:
    """Work out how many seats a room takes in a layout: rows of chairs, rows of tables, one table, or a U.

    Args:
        layout: Rows without (theatre) or with tables, around one table two table depths wide, or outside a U.
        room_length_m: Length of the room in metres, to the centimetre.
        room_width_m: Width in metres.
        front_clearance_m: What stays free at the front.
        aisle_width_m: What stays free along the length.
        seat_width_m: Width of one place.
        row_depth_m: Depth of a row of chairs.
        table_depth_m: Depth of a table; unused for theatre.
    """
    length, width = _cm(room_length_m) - _cm(front_clearance_m), _cm(room_width_m) - _cm(aisle_width_m)
    seat, row, table = _cm(seat_width_m), _cm(row_depth_m), _cm(table_depth_m)
    if layout in ("theatre", "classroom"):
        lines = [width // seat] * max(0, length // (row + (table if layout == "classroom" else 0)))
    elif layout == "boardroom":
        side = (length - 2 * row) // seat if width >= 2 * (row + table) else 0
        lines = [side, side, 2 * table // seat, 2 * table // seat]
    else:
        arm, base = (length - row) // seat, (width - 2 * row) // seat
        lines = [arm, arm, base] if width >= 2 * (row + table) else [0]
    if not lines or min(lines[:2]) <= 0:
        raise invalid("room_length_m", "expected a room in which the layout fits, got one too small; choose another")
    lines = [line for line in lines if line > 0]
    area = round(room_length_m * room_width_m / sum(lines), 2)
    return Seating(seats=sum(lines), rows=len(lines), longest_row=max(lines), square_metres_a_seat=area)
