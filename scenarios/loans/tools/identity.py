"""Customer identification and watch-list screening."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.bank import Bank
from teller_gym.scenarios.loans.tools.lookup import (
    created,
    customer,
    day,
    existing,
    invalid,
    optional_day,
    policy_of,
    record,
    too_early,
)
from teller_gym.scenarios.loans.tools.types import (
    Code,
    Country,
    CustomerId,
    FullName,
    IdDocument,
    LastFour,
    ListEntryId,
    ScreeningId,
    VerificationId,
)
from teller_gym.text import normalise_text
from teller_gym.tools import Result, tool


class IdentityCheck(Result):
    """Outcome of the identification; name, birth date and country as the issuing registry has them."""

    identity_status: Literal["verified", "failed"]
    verification_id: VerificationId
    verified_name: FullName
    date_of_birth: date
    country: Country


@tool(writes=True)
def verify_identity(
    bank: Bank,
    customer_id: CustomerId,
    full_name: FullName,
    date_of_birth: date,
    document_type: IdDocument,
    document_last4: LastFour,
    document_expiry: date,
    country: Country,
    registry: Code,
) -> IdentityCheck:
    """Verify an applicant's identity against the registry that issued the document. A former name of the same
    person counts.

    Args:
        customer_id: The applicant.
        full_name: Name as on the application.
        date_of_birth: Birth date as on the application.
        document_type: Kind of the identity document.
        document_last4: Last four characters of the document's number.
        document_expiry: Expiry date of the document.
        country: Country of citizenship, two letters.
        registry: Code of the registry that is asked; one that does not keep such documents finds nothing.
    """
    _require_complete(bank, customer_id)
    entry = record(bank, "id_registry", customer_id, "customer_id")
    names = {normalise_text(name) for name in (entry["name"], *entry["former_names"])}
    same = (
        normalise_text(full_name) in names
        and date_of_birth == day(entry["date_of_birth"])
        and document_type == entry["document_type"]
        and document_last4 == entry["document_last4"]
        and document_expiry == day(entry["document_expiry"])
        and country == entry["country"]
        and registry == policy_of(bank).registries[entry["document_type"]]
    )
    status: Literal["verified", "failed"] = "verified" if same else "failed"
    return IdentityCheck(
        identity_status=status,
        verification_id=created(bank, "verifications", "ID", customer_id, status=status),
        verified_name=entry["name"],
        date_of_birth=day(entry["date_of_birth"]),
        country=entry["country"],
    )


def _require_complete(bank: Bank, customer_id: str) -> None:
    """Identification begins when some application of the customer has been found complete."""
    customer(bank, customer_id)
    for _, case in bank.rows("applications"):
        if case.get("completeness_status") == "complete" and any(
            person["customer_id"] == customer_id for person in case["applicants"]
        ):
            return
    raise too_early(
        f"no application of {customer_id} has been found complete yet; check_application_completeness comes first"
    )


class Screening(Result):
    """Outcome of the screening; the list entry's fields are null when nothing matched."""

    screening_id: ScreeningId
    screening_result: Literal["clear", "possible_match"]
    list_entry_id: ListEntryId | None
    entry_name: str | None
    entry_date_of_birth: date | None
    entry_country: Country | None
    entry_list: Literal["sanctions", "pep", "enforcement"] | None
    screened_date_of_birth: date
    screened_country: Country


@tool(writes=True)
def screen_watch_list(
    bank: Bank,
    customer_id: CustomerId,
    verification_id: VerificationId,
    verified_name: FullName,
    date_of_birth: date,
    country: Country,
    list_scope: Code,
) -> Screening:
    """Screen an applicant's verified name against the watch lists. A possible match shares the name; it may be
    another person.

    Args:
        customer_id: The applicant.
        verification_id: The identity verification that the name comes from.
        verified_name: Name as the registry has it.
        date_of_birth: Birth date as the registry has it.
        country: Country as the registry has it.
        list_scope: Code of the lists to search; entries of other lists are not found.
    """
    customer(bank, customer_id)
    verification = existing(bank, "verifications", "ID", customer_id)
    if verification is None or verification_id != bank.reference("ID", customer_id):
        raise too_early(
            f"there is no identity verification {verification_id} of {customer_id}; verify_identity comes first"
        )
    wanted = normalise_text(verified_name)
    match = next(
        (
            (key, entry)
            for key, entry in bank.rows("watch_list")
            if normalise_text(entry["name"]) == wanted
            and (entry["region"] == "us" or list_scope.startswith("global"))
            and (entry["list"] != "pep" or list_scope.endswith("pep_lists"))
        ),
        None,
    )
    key, entry = match if match is not None else (None, {})
    result: Literal["clear", "possible_match"] = "clear" if match is None else "possible_match"
    return Screening(
        screening_id=created(bank, "screenings", "SC", customer_id, result=result, list_entry_id=key),
        screening_result=result,
        list_entry_id=key,
        entry_name=entry.get("name"),
        entry_date_of_birth=optional_day(entry.get("date_of_birth")),
        entry_country=entry.get("country"),
        entry_list=entry.get("list"),
        screened_date_of_birth=date_of_birth,
        screened_country=country,
    )


class MatchResolution(Result):
    """What was recorded about a possible match."""

    resolution_status: Literal["cleared", "confirmed"]
    next_action: Literal["continue", "stop"]


@tool(writes=True)
def resolve_watch_list_match(
    bank: Bank,
    customer_id: CustomerId,
    screening_id: ScreeningId,
    list_entry_id: ListEntryId,
    date_of_birth_matches: bool,
    country_matches: bool,
    disposition: Literal["false_positive", "true_match"],
) -> MatchResolution:
    """Record how a possible watch-list match was decided, with the comparison it rests on.

    Args:
        customer_id: The applicant.
        screening_id: The screening that gave the possible match.
        list_entry_id: The list entry that was compared.
        date_of_birth_matches: Whether the entry's birth date equals the screened one.
        country_matches: Whether the entry's country equals the screened one.
        disposition: What the match was found to be.
    """
    customer(bank, customer_id)
    screening = existing(bank, "screenings", "SC", customer_id)
    if screening is None or screening_id != bank.reference("SC", customer_id):
        raise too_early(f"there is no screening {screening_id} of {customer_id}; screen_watch_list comes first")
    if screening["list_entry_id"] != list_entry_id:
        raise invalid("list_entry_id", f"expected the entry that the screening gave, got {list_entry_id}")
    if (disposition == "true_match") != (date_of_birth_matches and country_matches):
        raise invalid("disposition", "it contradicts the comparison: a true match agrees in birth date and country")
    cleared = disposition == "false_positive"
    created(bank, "match_resolutions", "MR", customer_id, disposition=disposition, list_entry_id=list_entry_id)
    return MatchResolution(
        resolution_status="cleared" if cleared else "confirmed", next_action="continue" if cleared else "stop"
    )
