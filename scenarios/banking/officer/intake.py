"""Identity and watch-list checks of the experts of all five bank scenarios.

:class:`IntakeJudgement` contains the judgements, one method each, and :class:`Intake` makes the calls. Each scenario
defines its own endings. Solvers implement the same clauses independently (:mod:`teller_gym.scenarios.banking.solving`).
"""

from __future__ import annotations

from abc import abstractmethod
from datetime import date
from typing import Any

from teller_gym.base.dates import add_business_days, on_or_before_business_day
from teller_gym.procedure import officer
from teller_gym.procedure.officer import Seen, Steps


class IntakeJudgement:
    """Known facts about the persons of a case, and the conclusions from them.

    Attributes:
        customers: ids of the persons to verify, in order of precedence.
        case: the case as its reading tool returned it.
        people: persons of the case, by id.
        checks, screenings: results of identity checks and screenings, by person's id.
    """

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        self.customers: list[str] = []
        self.case: Seen = {}
        self.people: dict[str, Seen] = {}
        self.checks: dict[str, Seen] = {}
        self.screenings: dict[str, Seen] = {}

    @property
    def today(self) -> date:
        """Business date."""
        return date.fromisoformat(self.case["business_date"])

    @property
    def received(self) -> date:
        """Calendar date on which the request was received."""
        return date.fromisoformat(self.case["received_date"])

    def after_business_days(self, start: date, days: int) -> date:
        """Return the date ``days`` business days after ``start``, which itself is not counted."""
        return add_business_days(start, days, self.policy.holidays)

    def rolled_back(self, day: date) -> date:
        """Return the day if it is a business day, otherwise the last business day before it."""
        return on_or_before_business_day(day, self.policy.holidays)

    def code(self, table: str, situation: str) -> Any:
        """Return the code for a situation in a table of the policy."""
        return getattr(self.policy, table)[situation]

    # -- identity -----------------------------------------------------------------------------------------------------

    def registry_of(self, person: Seen) -> str:
        """Return the code of the registry that issued a person's document."""
        return str(self.code("registries", person["document_type"]))

    def is_verified(self, customer: str) -> bool:
        """Return True if a person's identity was confirmed, including under a former name."""
        return bool(self.checks[customer]["identity_status"] != "failed")

    def unverified(self) -> list[str]:
        """Return the persons whose identity was not confirmed."""
        return [customer for customer in self.checks if not self.is_verified(customer)]

    @abstractmethod
    def identity_ending(self) -> Any:
        """Return the ending if an identity was not confirmed, otherwise None."""

    # -- watch lists --------------------------------------------------------------------------------------------------

    def screened_name(self, customer: str) -> str:
        """Return the name to screen, which is the verified one."""
        name: str = self.checks[customer]["verified_name"]
        return name

    def list_scope_of(self, customer: str) -> str:
        """Return the code of the lists to screen a person against."""
        return str(self.code("list_scopes", "us_citizen" if self.checks[customer]["country"] == "US" else "other"))

    def possible(self) -> list[Seen]:
        """Return the screenings with a possible match."""
        return [one for one in self.screenings.values() if one["list_entry_id"] is not None]

    def same_birth(self, screening: Seen) -> bool:
        """Return True if the birth dates of entry and person are equal."""
        return bool(screening["entry_date_of_birth"] == screening["screened_date_of_birth"])

    def same_country(self, screening: Seen) -> bool:
        """Return True if the countries of entry and person are equal."""
        return bool(screening["entry_country"] == screening["screened_country"])

    def is_true_match(self, screening: Seen) -> bool:
        """Return True if a possible match is the same person, with equal birth date and country."""
        return self.same_birth(screening) and self.same_country(screening)

    def matched(self) -> list[Seen]:
        """Return the screenings that are true matches."""
        return [one for one in self.possible() if self.is_true_match(one)]

    def disposition(self) -> str:
        """Return the most serious outcome of the screenings."""
        if not self.screenings:
            return "not_screened"
        if self.matched():
            return "true_match"
        return "false_positive" if self.possible() else "clear"

    @abstractmethod
    def match_ending(self) -> Any:
        """Return the ending if there is a true match, otherwise None."""


class Intake(IntakeJudgement, officer.Officer):
    """Verifies identities, then screens the verified persons."""

    def identify(self) -> Steps:
        """Verify every person, then end the case if one failed."""
        for customer in self.to_verify():
            yield from self.verify_identity(customer)
        yield from self.end(self.identity_ending())

    def to_verify(self) -> list[str]:
        """Return the persons to verify, in order."""
        return self.customers

    def verify_identity(self, customer: str) -> Steps:
        """Check one person against the registry."""
        self.checks[customer] = yield from self.fill_in(
            "verify_identity", customer_id=customer, registry=self.registry_of(self.people[customer])
        )

    def screen(self) -> Steps:
        """Screen every verified person, then end the case on a true match."""
        for customer in self.checks:
            yield from self.screen_person(customer)
        yield from self.end(self.match_ending())

    def screen_person(self, customer: str) -> Steps:
        self.screenings[customer] = yield from self.fill_in(
            "screen_watch_list",
            customer_id=customer,
            verified_name=self.screened_name(customer),
            list_scope=self.list_scope_of(customer),
        )
