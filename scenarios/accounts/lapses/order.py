"""Lapses of order and endings: steps done too early, twice, or after the case ended (D4, D22, D23 and the gates)."""

from __future__ import annotations

from typing import Any

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("D23", "5.2.2")
class ScreenedBeforeAllVerified(Careless):
    """Screens a person before the next one's identity is verified."""

    def identify(self) -> Steps:
        if self.kind == "open_account" and len(self.customers) > 1:
            yield from self.verify_identity(self.customers[0])
            yield from self.end(self.identity_ending())
            yield from self.screen_person(self.customers[0])
            for customer in self.customers[1:]:
                yield from self.verify_identity(customer)
            yield from self.end(self.identity_ending())
        else:
            yield from super().identify()

    def screen_person(self, customer: str) -> Steps:
        if customer not in self.screenings:
            yield from super().screen_person(customer)


@lapse("D4", "D22", "5.1.3", "5.2.2", "5.3.3", "5.4.2", "T5")
class WorkedOnAfterEnding(Careless):
    """Goes on to the next step, or repeats the last one, although the case has ended."""

    def end(self, ending: Any) -> Steps:
        if ending is not None:
            if ending.reason == "identity_not_verified":
                yield from self.verify_identity(self.unverified()[0])
            elif not self.checks and self.people:
                yield from super().identify()
            elif self.checks and not self.screenings and self.people and ending.reason != "identity_not_verified":
                yield from self.screen_person(self.customers[0])
        yield from super().end(ending)
