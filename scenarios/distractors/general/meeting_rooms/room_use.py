"""How well rooms are used, and how many seats they take."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._clock_times import (
    Clock,
    Heads,
    MinuteList,
    minute_of,
    same_length,
    span_of,
)
from teller_gym.scenarios.distractors.general.meeting_rooms._rooms import RoomName, known_room
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Clocks = Annotated[list[Clock], Meta(min_length=1, max_length=15)]
HeadList = Annotated[list[Heads], Meta(min_length=1, max_length=15)]
Metres = Annotated[float, Meta(ge=1, le=60)]
ShortMetres = Annotated[float, Meta(ge=0.3, le=5)]


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
    seats, (opens, closes) = known_room(room).seats, span_of(opens_at, closes_at, "closes_at")
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
