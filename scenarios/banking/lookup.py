"""Look-ups of bank records, with errors that an agent can act on."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any, NamedTuple, Protocol

from teller_gym.base.errors import ErrorKind, ToolError, invalid
from teller_gym.tools.bank import Bank, Record


class BankPolicy(Protocol):
    """Entries of a scenario's policy that the shared tools read."""

    @property
    def holidays(self) -> frozenset[date]:
        """Days on which the bank is closed besides weekends."""

    @property
    def registries(self) -> dict[str, str]:
        """Code of the registry that keeps each kind of identity document."""

    @property
    def list_scopes(self) -> dict[str, str]:
        """Code of the watch lists to search for a ``us_citizen`` and for any ``other`` citizen."""


def policy_of(bank: Bank) -> BankPolicy:
    """Return the bank's policy, typed with the entries that the shared tools read."""
    policy: BankPolicy = bank.policy
    return policy


def record(bank: Bank, table: str, key: str, field: str) -> Record:
    """Return a record, or raise an error that names ``field`` if the id does not exist."""
    found = bank.get(table, key)
    if found is None:
        raise ToolError(ErrorKind.VALIDATION, f"{field}: there is no {key} here; check the id", field)
    return found


def case_record(bank: Bank, case_id: str) -> Record:
    """Return the record of a case of any kind."""
    return record(bank, bank.case_table, case_id, "case_id")


def customer(bank: Bank, customer_id: str) -> Record:
    """Return a customer's record, or raise a tool error for an unknown id."""
    return record(bank, "customers", customer_id, "customer_id")


def too_early(message: str) -> ToolError:
    """Return the error for a call that needs an earlier call's result."""
    return ToolError(ErrorKind.ORDER, message)


def check_code(field: str, code: str, codes: Collection[str]) -> None:
    """Raise an error if the policy has no such code; a known code that is wrong here is left to the tool."""
    if code not in codes:
        raise invalid(field, f"there is no {field.replace('_', ' ')} {code}; the SOP lists them")


def day(value: str) -> date:
    """Return a record's date, which is stored as ISO text."""
    return date.fromisoformat(value)


def optional_day(value: str | None) -> date | None:
    """Return a record's date, or None if it is missing."""
    return None if value is None else date.fromisoformat(value)


def created(bank: Bank, table: str, prefix: str, owner: str, **fields: Any) -> str:
    """Store a tool's findings about ``owner`` under an id that depends only on case and owner; return the id."""
    key = bank.reference(prefix, owner)
    bank.put(table, key, {"owner": owner, **fields})
    return key


def existing(bank: Bank, table: str, prefix: str, owner: str) -> Record | None:
    """Return the record that :func:`created` stored for ``owner``, or None."""
    return bank.get(table, bank.reference(prefix, owner))


class Origin(NamedTuple):
    """Source of records that a later tool needs: their table, id prefix, and the tool that creates them."""

    table: str
    prefix: str
    tool: str


VERIFICATION = Origin("verifications", "ID", "verify_identity")
SCREENING = Origin("screenings", "SC", "screen_watch_list")


def obtained(bank: Bank, origin: Origin, owner: str, field: str, given: str) -> Record:
    """Return an earlier tool's record for ``owner``, after checking the id that the agent gave in ``field``.

    Raises:
        ToolError: of kind ``order`` if there is no record yet, of kind ``validation`` if the id is wrong.
    """
    key = bank.reference(origin.prefix, owner)
    found = bank.get(origin.table, key)
    if found is None:
        raise too_early(f"there is no {field} of {owner} yet; {origin.tool} comes first")
    if given != key:
        raise wrong_id(field, given, origin.tool)
    return found


def wrong_id(field: str, given: str, tool: str) -> ToolError:
    """Return the error for an id other than the one that ``tool`` returned."""
    return invalid(field, f"expected the id that {tool} gave, got {given}")
