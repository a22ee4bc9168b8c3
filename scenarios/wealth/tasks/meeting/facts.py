"""Draws three calendars in which every rule of the chapter affects a slot."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled

DAY: Final = 24 * 60
"""Minutes per day. Times are minutes after midnight, in UTC except for the client's."""

Span = tuple[int, int]


class Entry(msgspec.Struct, frozen=True):
    """A row of the adviser's calendar, with times in minutes.

    A whole day is from 0 to `DAY`.
    """

    day: date
    start: int
    end: int
    subject: str
    status: str


class Booking(msgspec.Struct, frozen=True):
    """A CRM meeting, with times in minutes, user names and a client number."""

    name: str
    day: date
    start: int
    end: int
    status: str
    assigned: str
    users: tuple[str, ...]
    client: str


class Taken(msgspec.Struct, frozen=True):
    """A day's times at which the tax specialist is not available."""

    day: date
    spans: tuple[Span, ...]


class Letter(msgspec.Struct, frozen=True):
    """A client's letter, with times in the client's time zone.

    Attributes:
        offset: the client's UTC offset in hours.
        opens, closes: the client's first and last available time on any weekday.
        never: a weekday on which the client is not available.
        later_day, later_from: a day on which the client is available only later, and the earliest time.
        out, reason: a day on which the client is not available after all, and the reason.
        order: order of the three sentences about times.
    """

    offset: int
    opens: int
    closes: int
    never: int
    later_day: date
    later_from: int
    out: date
    reason: str
    order: tuple[int, ...]


class Facts(msgspec.Struct, frozen=True):
    """All calendars.

    The specialist's covers whole weeks, Monday to Friday.
    """

    today: date
    adviser: str
    entries: tuple[Entry, ...]
    bookings: tuple[Booking, ...]
    taken: tuple[Taken, ...]
    letter: Letter


class _Gap(msgspec.Struct, frozen=True):
    """A free time in the adviser's calendar, and its purpose."""

    start: int
    end: int
    why: str


_Gaps = dict[date, list[_Gap]]

# The layout of the gaps assumes these numbers of the chapter.
_OPENS, _CLOSES, _SLOT, _STEP = 13 * 60, 21 * 60, 90, 30
_LATE = _CLOSES - 60
_WEEKDAYS: Final = 14
"""Number of weekdays with gaps: five of the notice period, including the closed day, and nine to search."""

_MOST: Final = 3
"""Maximum number of daily busy times shared by the adviser and the specialist, so that a week fits into a message."""

_LENGTHS: Final = {"short": 60, "odd": 120}
_SUBJECTS = (
    "Client call", "Portfolio review", "Investment committee", "Team meeting", "Estate planning talk", "Site visit",
    "Fund manager briefing", "Training", "Fee discussion", "Quarterly figures", "Lunch with custodian", "Interview",
)  # fmt: skip
_MEETINGS = ("Portfolio Review", "Estate Talk", "Fee Review", "Introductory Meeting", "Annual Review", "Pension Talk")
_REASONS = ("my sister is getting married", "I have a hospital appointment", "our school has its open day")


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw three calendars in which every kind of mistake makes a slot before the earliest one seem free."""
    days = _weekdays(world.today, _WEEKDAYS)
    closed = days[draw.integer(0, rules["notice"] - 2)]
    early, window = days[rules["notice"] - 1], days[rules["notice"] :]
    opens = _OPENS + draw.steps(120, 150, _STEP)
    never = draw.integer(0, 3)
    rest = [day for day in window if day.weekday() != window[never].weekday()]
    out, away, *plain = shuffled(draw, rest[:5])
    gaps: _Gaps = {day: [_Gap(*_placed(draw, opens, "client"))] for day in window if day not in rest}
    gaps[early] = [_Gap(*_placed(draw, opens, "free"))]
    gaps[out] = [_Gap(*_placed(draw, opens, "client"))]
    gaps[away] = [_Gap(*_placed(draw, opens, "away"))]
    gaps |= _plain_days(draw, opens, plain, rest[5])
    first, length = draw.steps(opens, _CLOSES - 120, _STEP), draw.steps(_SLOT, 120, _STEP)
    gaps[rest[6]] = [_Gap(first, first + length, "free")]
    last = window[-1] + timedelta(days=4 - window[-1].weekday())
    rows = _rows(draw, [day for day in _weekdays(world.today, 20) if day <= last and day != closed], gaps)
    entries = _entries(draw, rows, gaps, closed, rest[5], rules)
    taken = _taken(draw, rows, gaps, closed, early, last)
    bookings = _bookings(world, client, draw, rows, gaps, rest[5], rules)
    letter = _letter(draw, opens, window[never].weekday(), plain[0], gaps, out)
    return Facts(world.today, client.adviser, entries, bookings, taken, letter)


def _weekdays(today: date, count: int) -> list[date]:
    later = (today + timedelta(days=number) for number in range(1, 2 * count + 3))
    return [day for day in later if day.weekday() < 5][:count]


# -- gaps -------------------------------------------------------------------------------------------------------------


def _plain_days(draw: Draw, opens: int, plain: Sequence[date], meeting: date) -> _Gaps:
    """Draw the gaps on ordinary days and on the day with the earliest slot."""
    others = shuffled(draw, ("taken", "tentative", "own", "guest", "short", "odd"))
    late, outside = draw.choice(plain), draw.choice((*plain, meeting))
    ends = {day: _LATE - _STEP if day == late else _CLOSES for day in (*plain, meeting)}
    whys = {plain[0]: ["later", others[0]], plain[1]: [*others[1:3]], plain[2]: [*others[3:5]], meeting: ["slot"]}
    roomy = [day for day in plain if _slack([*whys[day], others[5]], opens, ends[day]) >= 0]
    if roomy and draw.chance(0.6):
        whys[draw.choice(roomy)].append(others[5])
    else:
        whys[meeting].insert(0, others[5])
    found: _Gaps = {}
    for day, several in whys.items():
        found[day] = _laid(draw, several, opens, ends[day])
        if day == late:
            found[day].append(_Gap(_LATE, DAY, "late"))
        if day == outside:
            found[day].insert(0, _Gap(_OPENS, _OPENS + _SLOT, "client"))
    return found


def _placed(draw: Draw, opens: int, why: str) -> tuple[int, int, str]:
    """Draw a gap of a slot's length at a time that suits the client."""
    start = draw.steps(opens, _CLOSES - _SLOT, _STEP)
    return start, start + _SLOT, why


def _laid(draw: Draw, whys: Sequence[str], start: int, end: int) -> list[_Gap]:
    """Lay out gaps in the given order between two times, with appointments between them."""
    shifts = sorted(draw.integer(0, _slack(whys, start, end)) for _ in whys)
    found = []
    for why, shift in zip(whys, shifts, strict=True):
        at, length = start + shift * _STEP, _LENGTHS.get(why, _SLOT)
        # An "odd" gap begins off the half hour and ends just before one, so it contains no slot.
        found.append(_Gap(at + 15, at + length - 5, why) if why == "odd" else _Gap(at, at + length, why))
        start += length + _STEP
    return found


def _slack(whys: Sequence[str], start: int, end: int) -> int:
    """Return the number of half hours left between two times after laying out the gaps.

    The result is negative if they do not fit.
    """
    return (end - start - sum(_LENGTHS.get(why, _SLOT) for why in whys)) // _STEP - (len(whys) - 1)


def _gap(gaps: _Gaps, why: str) -> tuple[date, _Gap]:
    return next((day, one) for day, several in gaps.items() for one in several if one.why == why)


# -- the adviser's calendar -------------------------------------------------------------------------------------------


def _rows(draw: Draw, days: Sequence[date], gaps: _Gaps) -> dict[date, list[Span]]:
    """Draw the adviser's appointments, which fill the time outside the gaps."""
    found: dict[date, list[Span]] = {}
    for day in days:
        found[day] = []
        start = _OPENS
        for one in (*gaps.get(day, ()), _Gap(_CLOSES, DAY, "")):
            found[day] += _cut(draw, start, one.start)
            start = one.end
    return found


def _cut(draw: Draw, start: int, end: int) -> list[Span]:
    """Fill a time span with appointments and pauses that are too short for a meeting."""
    found = []
    while start < end:
        length = draw.steps(30, 150, 15)
        stop = end if end - start - length < 45 else start + length
        found.append((start, stop))
        start = stop + (draw.choice((15, 30)) if stop < end and draw.chance(0.25) else 0)
    return found


def _entries(
    draw: Draw, rows: dict[date, list[Span]], gaps: _Gaps, closed: date, meeting: date, rules: Rules
) -> tuple[Entry, ...]:
    found = [Entry(closed, 0, DAY, rules["closed"], "Confirmed")]
    for day, spans in rows.items():
        for start, end in spans:
            status = rules["tentative"] if draw.chance(0.15) else "Confirmed"
            found.append(Entry(day, start, end, draw.choice(_SUBJECTS), status))
    day, one = _gap(gaps, "tentative")
    found.append(Entry(day, one.start, one.end, draw.choice(_SUBJECTS), rules["tentative"]))
    day, one = _gap(gaps, "slot")
    end = one.end - draw.steps(0, 30, 15)
    found.append(Entry(day, one.start, end, draw.choice(_SUBJECTS), rules["cancelled"]))
    for _ in range(draw.integer(3, 5)):
        day = draw.choice([day for day in rows if day != meeting])
        start, end = draw.choice(rows[day])
        found.append(Entry(day, start, end, draw.choice(_SUBJECTS), rules["cancelled"]))
    return tuple(sorted(found, key=lambda entry: (entry.day, entry.start, entry.end)))


# -- the others -------------------------------------------------------------------------------------------------------


def _taken(
    draw: Draw, rows: dict[date, list[Span]], gaps: _Gaps, closed: date, early: date, last: date
) -> tuple[Taken, ...]:
    """Draw the specialist's calendar: a gap, a whole day, and otherwise only busy times shared with the adviser."""
    away, (day_of_gap, gap) = _gap(gaps, "away")[0], _gap(gaps, "taken")
    day, found = early - timedelta(days=early.weekday()), []
    while day <= last:
        spans = [one for one in rows.get(day, ()) if draw.chance(0.3)][:_MOST]
        if day == day_of_gap:
            spans.append((gap.start + draw.steps(0, 60, _STEP), gap.end))
        if day in (away, closed):
            spans = [(0, DAY)]
        found.append(Taken(day, tuple(sorted(spans))))
        day += timedelta(days=3 if day.weekday() == 4 else 1)
    return tuple(found)


def _bookings(
    world: World, client: Client, draw: Draw, rows: dict[date, list[Span]], gaps: _Gaps, meeting: date, rules: Rules
) -> tuple[Booking, ...]:
    adviser = client.adviser
    (other,) = {world.staff[part].username for part in ("adviser", "second_adviser")} - {adviser}
    trusts = world.staff["trusts"].username
    people = [one for one in world.clients if one is not client]
    found = []

    def add(day: date, start: int, end: int, status: str, assigned: str, *users: str) -> None:
        about = draw.choice(people)
        name = f"{draw.choice(_MEETINGS)} {about.name}"
        found.append(Booking(name, day, start, end, status, assigned, (assigned, *users), about.number))

    day, one = _gap(gaps, "own")
    add(day, one.start + draw.steps(0, 30, _STEP), one.end, rules["planned"], adviser)
    day, one = _gap(gaps, "guest")
    add(day, one.start, one.end - draw.steps(0, 30, _STEP), rules["planned"], draw.choice((other, trusts)), adviser)
    day, one = _gap(gaps, "slot")
    add(day, one.start, one.end - draw.steps(0, 30, _STEP), rules["not_held"], adviser)
    add(day, one.start + draw.steps(0, 30, _STEP), one.end, rules["planned"], other, *((trusts,) * draw.integer(0, 1)))
    for status in (rules["planned"], rules["planned"], rules["not_held"]):
        day = draw.choice([day for day in rows if day != meeting])
        add(day, *draw.choice(rows[day]), status, adviser)
    for status in ("Held", "Held", rules["not_held"]):
        day = world.today - timedelta(days=7 * draw.integer(1, 8))
        start = draw.steps(_OPENS, _LATE, _STEP)
        add(day, start, start + 60, status, draw.choice((adviser, other)))
    return tuple(shuffled(draw, found))


def _letter(draw: Draw, opens: int, never: int, later_day: date, gaps: _Gaps, out: date) -> Letter:
    offset = -draw.integer(4, 8)
    later = next(one for one in gaps[later_day] if one.why == "later")
    # The client's times extend into the gap after office hours; read as UTC, they would include the gap before opening.
    closes = max(_CLOSES + _STEP + 60 * offset, _OPENS + _SLOT) + draw.steps(0, 30, _STEP)
    return Letter(
        offset=offset,
        opens=opens + 60 * offset,
        closes=closes,
        never=never,
        later_day=later_day,
        later_from=later.start + draw.steps(30, 90, _STEP) + 60 * offset,
        out=out,
        reason=draw.choice(_REASONS),
        order=tuple(shuffled(draw, range(3))),
    )
