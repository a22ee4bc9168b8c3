"""Customer identification and watch-list screening."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.ids import (
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
from teller_gym.scenarios.banking.lookup import (
    SCREENING,
    VERIFICATION,
    check_code,
    created,
    customer,
    day,
    obtained,
    optional_day,
    policy_of,
    record,
    too_early,
)
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Result, tool


class IdentityCheck(Result):
    """Outcome of the identification; name, birth date and country are the registry's, or null if it failed."""

    identity_status: Literal["verified", "failed"]
    verification_id: VerificationId
    verified_name: FullName | None
    date_of_birth: date | None
    country: Country | None


@tool(act=Act.FINAL)
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
    customer(bank, customer_id)
    registries = policy_of(bank).registries
    check_code("registry", registry, registries.values())
    entry = record(bank, "id_registry", customer_id, "customer_id")
    same = (
        _is_named(entry, full_name)
        and date_of_birth == day(entry["date_of_birth"])
        and document_type == entry["document_type"]
        and document_last4 == entry["document_last4"]
        and document_expiry == day(entry["document_expiry"])
        and country == entry["country"]
        and registry == registries[entry["document_type"]]
    )
    status: Literal["verified", "failed"] = "verified" if same else "failed"
    return IdentityCheck(
        identity_status=status,
        verification_id=created(bank, "verifications", "ID", customer_id, status=status),
        verified_name=entry["name"] if same else None,
        date_of_birth=day(entry["date_of_birth"]) if same else None,
        country=entry["country"] if same else None,
    )


def _is_named(entry: Record, name: str) -> bool:
    """Return True if a person has, or once had, the name."""
    if name == entry["name"]:
        return True
    return normalise_text(name) in map(normalise_text, (entry["name"], *entry["former_names"]))


class Screening(Result):
    """Outcome of the screening; the list entry's fields are null when nothing matched."""

    screening_id: ScreeningId
    screening_result: Literal["clear", "possible_match"]
    list_entry_id: ListEntryId | None
    entry_name: str | None
    entry_date_of_birth: date | None
    entry_country: Country | None
    entry_list: Literal["sanctions", "pep", "enforcement"] | None
    entry_remark: str | None
    screened_date_of_birth: date
    screened_country: Country


@tool(act=Act.REVISABLE)
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
    another person. Of several entries of the name, one that agrees in birth date and country too is shown.

    Args:
        customer_id: The applicant.
        verification_id: The identity verification that the name comes from.
        verified_name: Name as the registry has it.
        date_of_birth: Birth date as the registry has it.
        country: Country as the registry has it.
        list_scope: Code of the lists to search; entries of other lists are not found.
    """
    customer(bank, customer_id)
    verification = obtained(bank, VERIFICATION, customer_id, "verification_id", verification_id)
    if verification["status"] == "failed":
        raise too_early(
            f"the identification of {customer_id} was not confirmed; what the SOP says of that comes now, no screening"
        )
    scopes = policy_of(bank).list_scopes
    check_code("list_scope", list_scope, scopes.values())
    key, entry = list_entry(
        bank, normalise_text(verified_name), date_of_birth, country, only_us=list_scope != scopes["other"]
    )
    result: Literal["clear", "possible_match"] = "clear" if key is None else "possible_match"
    return Screening(
        screening_id=created(bank, "screenings", "SC", customer_id, result=result, list_entry_id=key),
        screening_result=result,
        list_entry_id=key,
        entry_name=entry.get("name"),
        entry_date_of_birth=optional_day(entry.get("date_of_birth")),
        entry_country=entry.get("country"),
        entry_list=entry.get("list"),
        entry_remark=entry.get("remark"),
        screened_date_of_birth=date_of_birth,
        screened_country=country,
    )


def list_entry(bank: Bank, name: str, born: date, country: str, *, only_us: bool) -> tuple[str | None, Record]:
    """Return an entry with the name, preferring one with the same birth date and country; None if there is none."""
    first: tuple[str | None, Record] = None, {}
    birth = born.isoformat()
    for key, entry in bank.rows("watch_list"):
        if (only_us and entry["region"] != "us") or normalise_text(entry["name"]) != name:
            continue
        if entry["date_of_birth"] == birth and entry["country"] == country:
            return key, entry
        if first[0] is None:
            first = key, entry
    return first


class MatchResolution(Result):
    """Confirmation that a possible match was resolved, and whether the case continues."""

    resolution_status: Literal["cleared", "confirmed"]
    next_action: Literal["continue", "stop"]


@tool(act=Act.REVISABLE)
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
    screening = obtained(bank, SCREENING, customer_id, "screening_id", screening_id)
    if screening["list_entry_id"] != list_entry_id:
        raise invalid("list_entry_id", f"expected the entry that the screening gave, got {list_entry_id}")
    if (disposition == "true_match") != (date_of_birth_matches and country_matches):
        raise invalid("disposition", "it contradicts the comparison: a true match agrees in birth date and country")
    cleared = disposition == "false_positive"
    created(bank, "match_resolutions", "MR", customer_id, disposition=disposition, list_entry_id=list_entry_id)
    return MatchResolution(
        resolution_status="cleared" if cleared else "confirmed", next_action="continue" if cleared else "stop"
    )
