"""Checks an arranged meeting: the Meeting in the CRM and the report to the adviser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

from teller_gym.office.crm.seeding import seeded_id
from teller_gym.office.documents.dates import parse_date
from teller_gym.office.documents.errors import DocumentError
from teller_gym.office.store import Change, Store
from teller_gym.scenarios.wealth.contract import Case, Failure, Finding, Look, failed, judged
from teller_gym.scenarios.wealth.sent import is_negated, labelled, to_one
from teller_gym.scenarios.wealth.tasks.meeting.solving import Answer

CHECKPOINTS = ("slot", "earliest", "invitees", "confirmation")

MEETINGS: Final = "crm.Meeting"

_DATES: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|(?<!\d)\d{1,2}/\d{1,2}/\d{4}(?!\d)"
    r"|(?<!\d)\d{1,2}(?:st|nd|rd|th|\.)?[ -](?:of )?[A-Za-z]{3,9}\.?,?[ -]\d{4}(?!\d)"
    r"|[A-Za-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?(?:, ?| )\d{4}(?!\d)"
)
_CLOCK = r"(?P<{0}hour>\d{{1,2}}):(?P<{0}minute>\d\d)(?::\d\d)?(?!\d)\s*(?P<{0}half>[AaPp]\.?[Mm]\b\.?)?"
# Offsets range from -12 to +14 hours, so the second time of "15:30 UTC-17:00 UTC" is not an offset.
_OFFSET = r"\s*(?:[-−–]\s*(?:0?[1-9]|1[0-2])|\+\s*(?:0?[1-9]|1[0-4]))(?!\d)"
_ZONE = rf"\s*\(?\s*(?:(?:UTC|GMT|Z)\b(?!{_OFFSET})|(?P<{{0}}other>[ECMP][SD]?T\b|local\b|UTC|GMT))"
_TIMES: Final = re.compile(
    r"(?<![\d:+-])"
    + _CLOCK.format("")
    + f"(?:{_ZONE.format('')})?"
    + rf"(?:\s*\)?\s*(?:-|–|—|to|until|till)\s*{_CLOCK.format('to_')}(?:{_ZONE.format('to_')})?)?"
)


class Told(NamedTuple):
    """A meeting time in a message.

    ``day`` is None if the time is ambiguous or not in UTC.
    """

    day: date | None
    start: time
    end: time | None

    def is_about(self, start: datetime, end: datetime) -> bool:
        """Return True if this time matches a meeting's start and end.

        The end may be missing.
        """
        same_end = self.end is None or self.end == end.time()
        return self.day == start.date() and self.start == start.time() and same_end


def check(look: Look) -> list[Finding]:
    """Check the meeting and the messages about it."""
    made = made_meetings(look.store)
    if len(made) != 1:
        what = f"{len(made)} new meetings stand in the CRM" if made else "no meeting was made in the CRM"
        return [failed(name, Failure.CROSS_TOOL, f"expected one, and {what}") for name in CHECKPOINTS]
    answer: Answer = look.case.answer
    meeting = made[0]
    start, end = (_moment(meeting[name]) for name in ("dateStart", "dateEnd"))
    fault = _fault(look.case, meeting) or _misplaced(answer, start, end)
    is_earliest = (start, end) == (answer.start, answer.end)
    times = f"the earliest slot is {answer.start:%Y-%m-%d %H:%M} to {answer.end:%H:%M}, and it is from {start} to {end}"
    return [
        judged("slot", not fault, "the meeting is at a time at which all three are free", fault),
        judged("earliest", is_earliest, "the meeting is in the earliest slot", times),
        _invitees(look.case, meeting),
        _confirmation(look, start, end, fault),
    ]


def made_meetings(store: Store) -> list[dict[str, Any]]:
    """Return the meetings added to the CRM during the day."""
    return [change.after for change in store.diff() if change.table == MEETINGS and not change.before and change.after]


def is_asked(case: Case, change: Change) -> bool:
    """Return True if a change creates a meeting for the client.

    `check` rejects more than one.
    """
    if change.table != MEETINGS or change.before is not None or change.after is None:
        return False
    is_parent = change.after["parentId"] == _client_id(case)
    return is_parent or _letters(change.after["name"]) == _letters(_name(case))


def _name(case: Case) -> str:
    return f"{case.rules['meeting']} {case.client.name}"


def _letters(text: str | None) -> str:
    """Return a name's letters and digits in lower case."""
    return "".join(sign for sign in (text or "").casefold() if sign.isalnum())


def _client_id(case: Case) -> str:
    return seeded_id(case.world.seed, "Contact", case.client.number)


def _user_id(case: Case, username: str) -> str:
    return seeded_id(case.world.seed, "User", username)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _fault(case: Case, meeting: dict[str, Any]) -> str:
    """Return an error message for the meeting's name or status.

    The result is empty if both are correct.
    """
    if _letters(meeting["name"]) != _letters(_name(case)):
        return f"expected the name {_name(case)!r}, got {meeting['name']!r}"
    if meeting["status"] != case.rules["planned"]:
        return f"expected the status {case.rules['planned']}, got {meeting['status']}"
    return ""


def _misplaced(answer: Answer, start: datetime | None, end: datetime | None) -> str:
    """Return the reason why a time is not an available slot.

    The result is empty if it is available.
    """
    if start is None or start not in answer.slots:
        return f"the meeting begins at {start}, when not all three can come to a whole meeting"
    if end != start + timedelta(minutes=answer.minutes):
        return f"expected {answer.minutes} minutes, and the meeting is from {start} to {end}"
    return ""


def _invitees(case: Case, meeting: dict[str, Any]) -> Finding:
    adviser, specialist = (_user_id(case, name) for name in (case.client.adviser, case.world.staff["tax"].username))
    client = _client_id(case)
    faults = []
    if (meeting["parentType"], meeting["parentId"]) != ("Contact", client):
        faults.append("its parent is not the client's Contact")
    if meeting["assignedUserId"] != adviser:
        faults.append("it is not assigned to the client's adviser")
    if set(meeting["usersIds"]) != {adviser, specialist}:
        faults.append("its users are not the adviser and the tax specialist")
    if meeting["leadsIds"] or not set(meeting["contactsIds"]) <= {client}:
        faults.append("somebody else than the client is among its contacts")
    return judged("invitees", not faults, "those are invited who should be", f"the meeting: {'; '.join(faults)}")


def _confirmation(look: Look, start: datetime | None, end: datetime | None, fault: str) -> Finding:
    """Check the confirmation to the adviser, which fails without a valid meeting to confirm."""
    messages = [told for text in to_one(look, look.case.client.adviser) for told in told_in(look.case, text)]
    if not messages:
        return failed("confirmation", Failure.CROSS_TOOL, "no direct message to the adviser names a date and a time")
    if fault or start is None or end is None:
        return failed("confirmation", Failure.LOGIC, f"what was confirmed is no slot: {fault}")
    last = messages[-1]
    wrong = (
        f"the meeting begins at {start}, and the adviser was last told {last.day or 'no one day'}, {last.start:%H:%M}"
    )
    return judged("confirmation", last.is_about(start, end), "the adviser was told when it is", wrong)


def told_in(case: Case, text: str) -> Iterator[Told]:
    """Yield the meeting times in a message: after the chapter's labels, or anywhere if it has no labels."""
    where = [_behind(text, case.rules[label]) for label in ("date_label", "time_label")]
    in_date, in_time = ([text], [text]) if not all(where) else where
    days = {day for one in in_date for day in _days(one)}
    times = [found for one in in_time if (found := _TIMES.search(one))]
    if not days or not times:
        return
    spans = {(_time(one, ""), _time(one, "to_")) for one in times}
    start, end = _time(times[0], ""), _time(times[0], "to_")
    is_denied = all(where) and any(is_negated(re.split(r"\d", one, maxsplit=1)[0]) for one in (*in_date, *in_time))
    is_utc = not any(one["other"] or one["to_other"] for one in times)
    is_plain = len(days) == 1 and len(spans) == 1 and is_utc and not is_denied and start is not None
    yield Told(days.pop() if is_plain else None, start or time(), end)


def _behind(text: str, label: str) -> list[str]:
    """Return the texts after a label, one for each line with the label."""
    return [found for line in text.splitlines() if (found := labelled(line, label))]


def _days(text: str) -> Iterator[date]:
    for found in _DATES.finditer(text):
        try:
            yield parse_date(found[0], order="mdy")
        except DocumentError:
            continue


def _time(found: re.Match[str], prefix: str) -> time | None:
    """Return the matched time of day, or None if it is missing or invalid."""
    if not found[f"{prefix}hour"]:
        return None
    hour, minute, half = int(found[f"{prefix}hour"]), int(found[f"{prefix}minute"]), found[f"{prefix}half"]
    if half:
        hour = hour % 12 + (12 if half[0] in "Pp" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None
