"""Lapses of order and endings: steps done too early, twice, or after the case ended (D4, D20, D21 and the gates)."""

from __future__ import annotations

from typing import Any

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("D21", "5.2.2")
class ScreenedBeforeAllVerified(Careless):
    """Screens the first person before the second one's identity is verified."""

    def identify(self) -> Steps:
        first, *others = self.to_verify()
        yield from self.verify_identity(first)
        if others and self.is_verified(first):
            yield from self.screen_person(first)
        for customer in others:
            yield from self.verify_identity(customer)
        yield from self.end(self.identity_ending())

    def screen_person(self, customer: str) -> Steps:
        if customer not in self.screenings:
            yield from super().screen_person(customer)


@lapse("D4", "D20", "5.2.2", "5.3.2", "5.4.2", "T7")
class WorkedOnAfterEnding(Careless):
    """Asks the registry again, or computes the interest of a deposit, although the case has ended."""

    def end(self, ending: Any) -> Steps:
        if ending is not None and ending.reason == "identity_not_verified":
            yield from self.verify_identity(self.to_verify()[0])
        elif ending is not None and self.records and self.record["term_months"] and not self.interests:
            principal = self.record["principal"]
            yield from super().work_out_interest(self.account_ids[0], principal, self.today.isoformat())
        yield from super().end(ending)


@lapse("D21", "5.2.4")
class InterestBeforeScreening(Careless):
    """Computes interest before the watch lists are screened."""

    def screen(self) -> Steps:
        if self.kind in ("withdrawal", "maturity"):
            key = self.account_ids[0]
            self.records[key] = yield from self.about_case("get_deposit_record", account_id=key)
            yield from super().work_out_interest(key, self.record["principal"], self.today.isoformat())
        yield from super().screen()
