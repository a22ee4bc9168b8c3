"""Types and reading of ``reference_data.yaml``, which gives the units; checks that several auxiliary tools share."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.lookup import customer
from teller_gym.scenarios.loans.tools.lookup import application
from teller_gym.tools.bank import Bank, Record

AnnualRate = Annotated[float, Meta(ge=0, le=100)]


class ScoreBand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A band of credit scores."""

    name: str
    min_score: int


class Market(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The market value index."""

    home_change: dict[str, int]
    vehicle_change: dict[str, int]
    condition: dict[str, int]
    condominium: int
    miles_a_year: int
    dollars_a_mile: int
    floor: int


class Letters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Wording of letters in one language."""

    greeting: dict[str, str]
    closing: dict[str, str]
    status_update: str
    document_reminder: str
    offer_explanation: str
    decline_explanation: str


class ReferenceData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Data of the auxiliary tools besides the bank's tables and its policy."""

    score_bands: tuple[ScoreBand, ...]
    card_payment_share: int
    net_to_gross: int
    market: Market
    regions: dict[str, frozenset[str]]
    letters: dict[str, Letters]
    reasons: dict[str, dict[str, str]]

    def region_of(self, state: str) -> str | None:
        """Return the region of a state's postal code, or None if there is no such state."""
        return next((region for region, states in self.regions.items() if state in states), None)


@cache
def reference_data() -> ReferenceData:
    """Read the file beside this module."""
    text = resources.files("teller_gym.scenarios.loans.tools").joinpath("reference_data.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=ReferenceData)


def check_rate(rate: float, field: str) -> None:
    """Raise an error for a percentage with more decimals than the bank quotes."""
    if round(rate, 3) != rate:
        raise invalid(field, f"expected percent with at most three decimals, got {rate!r}")


def applicant_of(bank: Bank, application_id: str, customer_id: str) -> Record:
    """Return the customer's record after checking that the customer is an applicant of the application."""
    case = application(bank, application_id)
    if customer_id not in [person["customer_id"] for person in case["applicants"]]:
        raise invalid("customer_id", f"{customer_id} is no applicant of {application_id}")
    return customer(bank, customer_id)
