"""Lapses that several bank scenarios share; ``lapses.yaml`` names the class and the clauses that it breaks."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date
from typing import Any

from teller_gym.base.dates import add_business_days
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.banking.officer.intake import Intake


class FormerNameRefused(Intake):
    """Treats a person as unverified if the verified name differs from the given one."""

    def is_verified(self, customer: str) -> bool:
        same = self.checks[customer]["verified_name"] == self.people[customer]["full_name"]
        return bool(same) and super().is_verified(customer)


class GivenNameScreened(Intake):
    """Screens the given name instead of the verified one."""

    def screened_name(self, customer: str) -> str:
        name: str = self.people[customer]["full_name"]
        return name


class FirstPersonVerified(Intake):
    """Verifies and screens only the first person."""

    def identify(self) -> Steps:
        yield from self.verify_identity(self.to_verify()[0])
        yield from self.end(self.identity_ending())


class FalsePositivesAsClear(Intake):
    """Records a false positive as a clear screening."""

    def disposition(self) -> str:
        found = super().disposition()
        return "clear" if found == "false_positive" else found


class HolidaysCounted(Intake):
    """Counts holidays as business days."""

    def after_business_days(self, start: date, days: int) -> date:
        return add_business_days(start, days, ())


class FirstRowCodes(Intake):
    """Uses the first row's code of a table in every situation."""

    def code(self, table: str, situation: str) -> Any:
        return next(iter(getattr(self.policy, table).values()))


def ask_for_document(officer: Intake, customer: str) -> Generator[Any, Seen, Any]:
    """Request a person's identity document again, due within ten business days."""
    yield from officer.about_case(
        "request_document",
        customer_id=customer,
        document="government_id",
        request_reason="illegible",
        channel="mail",
        answer_by=officer.after_business_days(officer.today, 10).isoformat(),
        original_required=False,
        message=None,
    )
