"""Tool that screens a person against watch lists and reports of other banks."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from teller_gym.base.errors import invalid
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.accounts.tools.lookup import policy_of
from teller_gym.scenarios.banking.amounts import in_dollars
from teller_gym.scenarios.banking.ids import (
    Code,
    Country,
    CustomerId,
    FullName,
    ListEntryId,
    ScreeningId,
    VerificationId,
)
from teller_gym.scenarios.banking.lookup import (
    VERIFICATION,
    check_code,
    created,
    customer,
    day,
    obtained,
    optional_day,
    too_early,
)
from teller_gym.scenarios.banking.tools.identity import list_entry
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Result, tool


class PersonScreened(Result):
    """Outcome of a screening; the fields of the list entry are null if no name matched.

    ``history_reports`` have report_kind (unpaid_overdraft, account_abuse or suspected_fraud), amount, reported_on,
    settled_on.
    """

    screening_id: ScreeningId
    screening_result: Literal["clear", "possible_match"]
    list_entry_id: ListEntryId | None
    entry_date_of_birth: date | None
    entry_country: Country | None
    entry_list: Literal["sanctions", "pep", "enforcement"] | None
    entry_remark: str | None
    screened_date_of_birth: date
    screened_country: Country
    history_reports: list[dict[str, Any]]


@tool(act=Act.FINAL)
def screen_person(
    bank: Bank,
    customer_id: CustomerId,
    verification_id: VerificationId,
    verified_name: FullName,
    date_of_birth: date,
    country: Country,
    list_scope: Code,
    history_from: date,
) -> PersonScreened:
    """Screen a verified person against the watch lists, and ask the banks' bureau for reports on earlier accounts. A
    possible match shares the name; it may be another person. Of several entries of the name, one that agrees in birth
    date and country too is shown.

    Args:
        customer_id: The person.
        verification_id: The identity verification that the name comes from.
        verified_name: Name as the registry has it.
        date_of_birth: Birth date as the registry has it.
        country: Country as the registry has it.
        list_scope: Code of the lists to search; entries of other lists are not found.
        history_from: First day of the reports that are asked for; not after the business date.
    """
    customer(bank, customer_id)
    verification = obtained(bank, VERIFICATION, customer_id, "verification_id", verification_id)
    if verification["status"] == "failed":
        raise too_early(f"the identification of {customer_id} was not confirmed; what the SOP says of that comes now")
    scopes = policy_of(bank).list_scopes
    check_code("list_scope", list_scope, scopes.values())
    if history_from > bank.today:
        raise invalid("history_from", f"expected a day up to the business date {bank.today}, got {history_from}")
    name = normalise_text(verified_name)
    key, entry = list_entry(bank, name, date_of_birth, country, only_us=list_scope != scopes["other"])
    result: Literal["clear", "possible_match"] = "clear" if key is None else "possible_match"
    reports = (bank.get("bureau_files", customer_id) or {}).get("reports", [])
    return PersonScreened(
        screening_id=created(
            bank, "screenings", "SC", customer_id, result=result, list_entry_id=key, history_from=str(history_from)
        ),
        screening_result=result,
        list_entry_id=key,
        entry_date_of_birth=optional_day(entry.get("date_of_birth")),
        entry_country=entry.get("country"),
        entry_list=entry.get("list"),
        entry_remark=entry.get("remark"),
        screened_date_of_birth=date_of_birth,
        screened_country=country,
        history_reports=[in_dollars(row, "amount") for row in reports if day(row["reported_on"]) >= history_from],
    )
