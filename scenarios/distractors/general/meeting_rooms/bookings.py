"""Rooms that are free, and their bookings."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._clock_times import Clock, Heads, Text, clock_of, span_of
from teller_gym.scenarios.distractors.general.meeting_rooms._rooms import Equipment, RoomName, all_rooms, known_room
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Category, Result, tool

_BOOKINGS = "misc_room_bookings"
_OPENS, _CLOSES, _DAYS_AHEAD, _SHOWN = 7 * 60, 20 * 60, 180, 7


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
        for room in all_rooms().values()
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
    seats, (start, end) = known_room(room).seats, span_of(start_time, end_time)
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
    wanted = list(all_rooms()) if room is None else [known_room(room).name]
    states = ("booked", "cancelled") if include_cancelled else ("booked",)
    rows = [(key, row) for key, row in bank.rows(_BOOKINGS) if row["day"] == day.isoformat() and row["room"] in wanted]
    found = sorted(
        (_booking(key, row) for key, row in rows if row["status"] in states),
        key=lambda booking: (booking.time, booking.room, booking.booking_id),
    )
    booked = sum(booking.minutes for booking in found if booking.status == "booked")
    return BookingList(bookings=found[:_SHOWN], total_found=len(found), booked_minutes=booked)
