"""What the experts of the bank procedures note on identity and watch lists, and the days that they ask for."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import cached_property
from typing import Any, ClassVar

from teller_gym.procedure.officer import Asking, Seen, of
from teller_gym.procedure.working import Jotting, Note
from teller_gym.scenarios.banking.officer.intake import Intake
from teller_gym.tools.call import Call

Reading = Generator[Call, Seen, str]
"""Calls that come to a day."""

_MOST_DAYS = 1000
"""The most days that the calendar moves at once."""


class IntakeNotes(Jotting, Intake):
    """Notes on persons; days are asked of the calendar and never counted."""

    plain_notes: ClassVar[Mapping[str, str]] = {
        "verify_identity": "customer_id document_type registry",
        "screen_watch_list": "customer_id country list_scope",
        "screen_person": "customer_id country list_scope",
    }

    @cached_property
    def days_asked(self) -> dict[tuple[Any, ...], str]:
        """The days asked for, by what was asked."""
        return {}

    def day_from(self, start: str, days: int, unit: str = "calendar", roll: str = "none") -> Reading:
        """Ask once for the day so many days from another, in steps if they are more than the calendar moves at once."""
        key = (start, days, unit, roll)
        if key not in self.days_asked:
            while abs(days) > _MOST_DAYS:
                start, days = (yield from self.day_from(start, -_MOST_DAYS)), days + _MOST_DAYS
            moved = yield from self.ask("add_days", start_date=start, days=days, unit=unit, roll=roll)
            self.days_asked[key] = moved["result_date"]
        return self.days_asked[key]

    def span(self, start: str, end: str) -> Asking:
        """Ask how far apart two days are."""
        return (yield from self.ask("days_between", start_date=start, end_date=end, unit="calendar"))

    def compared(self, screening: Seen, birth: str = "same_birth", country: str = "same_country") -> Note:
        """Compare a possible match, with the names under which the two comparisons are noted."""
        return {
            **of(screening, "entry_date_of_birth", "screened_date_of_birth"),
            birth: self.same_birth(screening),
            **of(screening, "entry_country", "screened_country"),
            country: self.same_country(screening),
        }

    def match_note(self, customer: str, screening: Seen) -> Note:
        """Return the row of a possible match."""
        return {"customer_id": customer, **self.compared(screening)}

    def match_ending(self) -> Any:
        """Note one possible match after the other, then return how the case ends."""
        rows = [self.match_note(customer, one) for customer, one in self.screenings.items() if one["list_entry_id"]]
        if rows:
            self.jot(matches=rows)
        return super().match_ending()


class FailureNotes(IntakeNotes):
    """Notes, besides, whose identity failed, and what a possible match comes to."""

    def identity_ending(self) -> Any:
        """Note the first person whose identity failed, then return how the case ends."""
        for customer in self.unverified()[:1]:
            self.jot(customer_id=customer, **of(self.checks[customer], "identity_status"))
        return super().identity_ending()

    def match_note(self, customer: str, screening: Seen) -> Note:
        """Return the row of a possible match, with the list of a true one."""
        true = self.is_true_match(screening)
        row = {**self.compared(screening, "date_of_birth_matches", "country_matches"), "true_match": true}
        return {**self.match_key(customer, screening), **row, **(of(screening, "entry_list") if true else {})}

    def match_key(self, customer: str, screening: Seen) -> Note:
        """Return what names a possible match."""
        return {"customer_id": customer}
