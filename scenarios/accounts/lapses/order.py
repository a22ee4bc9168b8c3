"""Lapses of order and of endings: what is done too early, again, or after the end (D4, D22, D23 and the gates)."""

from __future__ import annotations

from typing import Any

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("D23", "5.2.2")
class ScreenedBeforeAllVerified(Careless):
    """Screens a person before the next one's identity is verified."""

    _ahead = False

    def identify(self) -> Steps:
        everybody = self.people
        self._ahead = self.kind == "open_account" and len(everybody) > 1
        if self._ahead:
            self.people = everybody[:1]
            yield from super().identify()
            yield from self.screen_person(everybody[0])
            self.people = everybody[1:]
            yield from super().identify()
            self.people = everybody
        else:
            yield from super().identify()

    def screen_person(self, person: Seen) -> Steps:
        if person["customer_id"] not in self.screenings:
            yield from super().screen_person(person)


@lapse("D4", "D22", "5.1.3", "5.2.2", "5.3.3", "5.4.2", "T5")
class WorkedOnAfterEnding(Careless):
    """Goes on to the next act, or tries the last one again, though the case has ended."""

    def end(self, ending: Any) -> Steps:
        if ending is not None:
            if ending.reason == "identity_not_verified":
                yield from self.verify_again(next(person for person in self.people if not self.is_verified(person)))
            elif not self.checks and self.people:
                yield from super().identify()
            elif self.checks and not self.screenings and self.people and ending.reason != "identity_not_verified":
                yield from self.screen_person(self.people[0])
        yield from super().end(ending)

    def verify_again(self, person: Seen) -> Steps:
        """Ask the registry once more."""
        names = ("full_name", "date_of_birth", "document_type", "document_last4", "document_expiry", "country")
        yield from self.ask(
            "verify_identity",
            customer_id=person["customer_id"],
            **{name: person[name] for name in names},
            registry=self.registry_of(person),
        )
