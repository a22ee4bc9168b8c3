"""The tool that lists a customer's requests at a service desk."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Literal

from teller_gym.scenarios.banking.ids import CustomerId, Limit
from teller_gym.scenarios.banking.lookup import customer, day
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.scenarios.banking.tools.named import auxiliary_tool
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Result, Tool


class RequestsFound(Result):
    """``requests``: request_id, kind, channel, received_date, decision (null while open)."""

    total: int
    requests: list[dict[str, Any]]


def requests_tool(description: str, kinds: Any, channels: Any, parties_of: Callable[[Bank, Record], list[str]]) -> Tool:
    """Return the tool.

    Args:
        description: of the tool.
        kinds, channels: types of the kinds of request and of how they come in, each with ``any``.
        parties_of: returns the customers who take part in a request.
    """

    def list_customer_requests(
        bank: Bank,
        customer_id: CustomerId,
        kind: str = "any",
        channel: str = "any",
        state_of_case: Literal["any", "open", "decided"] = "any",
        received_from: date | None = None,
        received_to: date | None = None,
        limit: Limit = 5,
    ) -> RequestsFound:
        """DESCRIPTION

        Args:
            customer_id: The customer.
            kind: Which kind.
            channel: How they came in.
            state_of_case: Whether a decision has been recorded.
            received_from: Received on this day or later.
            received_to: Received on this day or earlier.
            limit: How many requests to show; the total counts all that match.
        """
        customer(bank, customer_id)
        check_order(received_from, received_to, "received_from", "received_to")
        found = [
            (key, case)
            for key, case in bank.rows("requests")
            if customer_id in parties_of(bank, case)
            and kind in ("any", case["kind"])
            and channel in ("any", case["channel"])
            and state_of_case in ("any", "open" if case.get("decision") is None else "decided")
            and within(day(case["received_date"]), received_from, received_to)
        ]
        found.sort(key=lambda pair: pair[0])
        found.sort(key=lambda pair: str(pair[1]["received_date"]), reverse=True)
        names = ("kind", "channel", "received_date")
        rows = [
            {"request_id": key, **{name: case[name] for name in names}, "decision": case.get("decision")}
            for key, case in found[:limit]
        ]
        return RequestsFound(total=len(found), requests=rows)

    return auxiliary_tool(list_customer_requests, description, types={"kind": kinds, "channel": channels})
