"""Calls of distractor tools as an environment makes them: parsed from JSON, with the result read back from JSON."""

from datetime import date
from functools import cache
from typing import Any

import msgspec
import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.tools.bank import Bank
from teller_gym.tools.run import run_action
from teller_gym.tools.tool import Tool, ToolSet
from teller_gym.variation.pool import distractors

TODAY = date(2026, 3, 4)


@cache
def all_tools() -> dict[str, Tool]:
    return {tool.name: tool for tool in distractors()}


def empty_bank(today: date = TODAY) -> Bank:
    """Return a bank without records."""
    return Bank({}, today, None, "LA-100000")


def call(name: str, /, bank: Bank | None = None, **arguments: Any) -> dict[str, Any]:
    """Call a distractor and return its result as an agent reads it; raise ToolError if it refuses."""
    tool = all_tools()[name]
    text = msgspec.json.encode({"name": name, "arguments": arguments}).decode()
    return run_action(bank if bank is not None else empty_bank(), ToolSet([tool]), text)


def not_accepted(field: str, name: str, **arguments: Any) -> str:
    """Call a distractor whose schema or code must refuse the argument ``field``; return the error message."""
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)
    return caught.value.message


def refused(field: str, name: str, **arguments: Any) -> str:
    """Call a distractor whose own code must refuse the argument ``field``; return the error message."""
    message = not_accepted(field, name, **arguments)
    assert message.startswith(f"{field}: expected ")
    return message


def branch_bank(today: date = TODAY) -> Bank:
    """Return a bank with two customers and a few of their accounts."""
    customers = {
        "CU-100001": {
            "full_name": "Zoë Marchetti",
            "date_of_birth": "1984-02-29",
            "city": "Durham",
            "state": "NC",
            "phone": "***-***-9152",
            "customer_since": "2019-05-06",
        },
        "CU-100002": {"full_name": "Ivan Petrov", "date_of_birth": "1990-01-01", "customer_since": "2026-01-02"},
    }
    accounts = {
        "AC-1": {"customer_id": "CU-100001", "kind": "checking", "status": "open", "balance": 1_200_000},
        "AC-2": {"customer_id": "CU-100001", "kind": "savings", "status": "open", "balance": 30_000_000},
        "AC-3": {"customer_id": "CU-100001", "kind": "loan", "status": "open", "balance": 9_000_000},
        "AC-4": {"customer_id": "CU-100001", "kind": "savings", "status": "closed", "balance": 5_000},
        "AC-5": {"customer_id": "CU-100002", "kind": "checking", "status": "open", "balance": 50_000},
    }
    return Bank({"customers": customers, "accounts": accounts}, today, None, "LA-100000")
