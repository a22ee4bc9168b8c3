"""Computes the slots that suit all participants from the facts, independently of the expert."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import msgspec

from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.meeting.facts import DAY, Facts, Letter


class Answer(msgspec.Struct, frozen=True):
    """Starts of all possible slots in UTC, in order, and their length in minutes."""

    slots: tuple[datetime, ...]
    minutes: int

    @property
    def start(self) -> datetime:
        """Start of the earliest slot."""
        return self.slots[0]

    @property
    def end(self) -> datetime:
        """End of the earliest slot."""
        return self.start + timedelta(minutes=self.minutes)


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the slots whose minutes are free for all participants."""
    opens, closes = _minute(rules["opens"]), _minute(rules["closes"])
    found = []
    for day in _eligible(facts, rules):
        free = _client(facts.letter, day) & set(range(opens, closes))
        free -= _adviser(facts, day, rules) | _specialist(facts, day)
        for start in range(0, DAY, rules["step"]):
            if free.issuperset(range(start, start + rules["minutes"])):
                found.append(datetime.combine(day, time()) + timedelta(minutes=start))
    return Answer(tuple(found), rules["minutes"])


def _eligible(facts: Facts, rules: Rules) -> list[date]:
    """Return the business days from the end of the notice period to the end of the calendar."""
    closed = {one.day for one in facts.entries if one.subject == rules["closed"]}
    last = max(one.day for one in facts.entries)
    later = (facts.today + timedelta(days=number) for number in range(1, (last - facts.today).days + 1))
    return [day for day in later if day.weekday() < 5 and day not in closed][rules["notice"] - 1 :]


def _adviser(facts: Facts, day: date, rules: Rules) -> set[int]:
    """Return the minutes at which the adviser is busy."""
    taken: set[int] = set()
    for entry in facts.entries:
        if entry.day == day and entry.status != rules["cancelled"]:
            taken.update(range(entry.start, entry.end))
    for booking in facts.bookings:
        attends = facts.adviser in (booking.assigned, *booking.users)
        if booking.day == day and attends and booking.status == rules["planned"]:
            taken.update(range(booking.start, booking.end))
    return taken


def _specialist(facts: Facts, day: date) -> set[int]:
    return {minute for one in facts.taken if one.day == day for start, end in one.spans for minute in range(start, end)}


def _client(letter: Letter, day: date) -> set[int]:
    """Return the minutes in UTC at which the client is available."""
    if day.weekday() == letter.never or day == letter.out:
        return set()
    opens = letter.later_from if day == letter.later_day else letter.opens
    return {minute - 60 * letter.offset for minute in range(opens, letter.closes)}


def _minute(text: str) -> int:
    hour, minute = map(int, text.split(":"))
    return 60 * hour + minute
