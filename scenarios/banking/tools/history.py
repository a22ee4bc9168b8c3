"""The tool that lists the records made on a case so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from teller_gym.scenarios.banking.ids import CaseId, CustomerId
from teller_gym.scenarios.banking.lookup import case_record
from teller_gym.scenarios.banking.parties import parties, party_of
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Category, Result, Tool, tool

_DETAILS = ("status", "result", "disposition", "decision", "kind", "document", "task", "text")
"""Field that says in a word what a record holds: the first of these that it has. No amounts, no scores."""


class CaseHistory(Result):
    """Records in the order of the procedure. ``records`` have kind, record_id, about, detail (may be null)."""

    total: int
    records: list[dict[str, Any]]


def history_tool(tables: Mapping[str, str]) -> Tool:
    """Return the tool that lists what has been recorded on a case.

    Args:
        tables: the kinds of record that a case of the scenario may have, in the order of the procedure, and the table
            of each.
    """

    def get_case_history(
        bank: Bank,
        case_id: CaseId,
        record_kind: str = "any",
        customer_id: CustomerId | None = None,
        skip: Annotated[int, Meta(ge=0, le=1000)] = 0,
        limit: Annotated[int, Meta(ge=1, le=6)] = 4,
    ) -> CaseHistory:
        """List what has been recorded on a case so far: checks, decisions, letters, notes. It shows that a step was
        taken, not its figures, and repeats no check.

        Args:
            case_id: The case.
            record_kind: Which records.
            customer_id: Only records about this customer.
            skip: How many records to leave out at the beginning.
            limit: How many records to show; the total counts all that match.
        """
        owners = [*parties(case_record(bank, case_id)), case_id]
        if customer_id is not None:
            party_of(bank, case_id, customer_id)
        found: list[dict[str, Any]] = []
        for kind, table in tables.items():
            if record_kind in ("any", kind):
                for key, item in sorted(bank.rows(table), key=lambda pair: pair[0]):
                    about = item.get("about") or item.get("customer") or item["owner"]
                    if item["owner"] in owners and customer_id in (None, about):
                        found.append({"kind": kind, "record_id": key, "about": about, "detail": _detail(item)})
        return CaseHistory(total=len(found), records=found[skip : skip + limit])

    # The kinds are the scenario's, so that the annotation is made here.
    get_case_history.__annotations__["record_kind"] = Literal.__getitem__((*tables, "any"))
    return tool(category=Category.AUXILIARY)(get_case_history)


def _detail(item: Record) -> str | None:
    if item.get("confidential"):
        return "***"
    return next((str(item[name])[:60] for name in _DETAILS if name in item), None)
