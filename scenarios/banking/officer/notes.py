"""Notes of the bank experts about identity and watch lists, and their questions to the calendar."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import cached_property
from typing import Any, ClassVar

from teller_gym.procedure.officer import Asking, Seen, of
from teller_gym.procedure.working import Jotting, Note
from teller_gym.scenarios.banking.officer.intake import Intake
from teller_gym.tools.call import Call

Reading = Generator[Call, Seen, str]
"""Calls that determine a date."""

_MOST_DAYS = 1000
"""Largest number of days that the calendar tool moves at once."""


class IntakeNotes(Jotting, Intake):
    """Notes about persons; days are counted by the calendar tool only."""

    plain_notes: ClassVar[Mapping[str, str]] = {
        "verify_identity": "customer_id document_type registry",
        "screen_watch_list": "customer_id country list_scope",
        "screen_person": "customer_id country list_scope",
    }

    @cached_property
    def days_asked(self) -> dict[tuple[Any, ...], str]:
        """Dates that the calendar returned, by the arguments of the question."""
        return {}

    def day_from(self, start: str, days: int, unit: str = "calendar", roll: str = "none") -> Reading:
        """Return a date moved by some days, asking the calendar once, in steps of at most its largest move."""
        key = (start, days, unit, roll)
        if key not in self.days_asked:
            while abs(days) > _MOST_DAYS:
                start, days = (yield from self.day_from(start, -_MOST_DAYS)), days + _MOST_DAYS
            moved = yield from self.ask("add_days", start_date=start, days=days, unit=unit, roll=roll)
            self.days_asked[key] = moved["result_date"]
        return self.days_asked[key]

    def span(self, start: str, end: str) -> Asking:
        """Ask for the span between two dates."""
        return (yield from self.ask("days_between", start_date=start, end_date=end, unit="calendar"))

    def compared(self, screening: Seen, birth: str = "same_birth", country: str = "same_country") -> Note:
        """Return the note that compares a possible match; ``birth`` and ``country`` name the two comparisons."""
        return {
            **of(screening, "entry_date_of_birth", "screened_date_of_birth"),
            birth: self.same_birth(screening),
            **of(screening, "entry_country", "screened_country"),
            country: self.same_country(screening),
        }

    def match_note(self, customer: str, screening: Seen) -> Note:
        """Return the row for a possible match."""
        return {"customer_id": customer, **self.compared(screening)}

    def match_ending(self) -> Any:
        """Note each possible match, then return the ending."""
        rows = [self.match_note(customer, one) for customer, one in self.screenings.items() if one["list_entry_id"]]
        if rows:
            self.jot(matches=rows)
        return super().match_ending()  # type: ignore[safe-super]


class FailureNotes(IntakeNotes):
    """Also notes a failed identity, and the conclusion from each possible match."""

    def identity_ending(self) -> Any:
        """Note the first person whose identity failed, then return the ending."""
        for customer in self.unverified()[:1]:
            self.jot(customer_id=customer, **of(self.checks[customer], "identity_status"))
        return super().identity_ending()  # type: ignore[safe-super]

    def match_note(self, customer: str, screening: Seen) -> Note:
        """Return the row for a possible match, with the list if it is a true one."""
        true = self.is_true_match(screening)
        row = {**self.compared(screening, "date_of_birth_matches", "country_matches"), "true_match": true}
        return {**self.match_key(customer, screening), **row, **(of(screening, "entry_list") if true else {})}

    def match_key(self, customer: str, screening: Seen) -> Note:
        """Return the entry that identifies a possible match."""
        return {"customer_id": customer}
