"""The auxiliary tools that the accounts scenario has of its own: every parameter counts, and none touches the case."""

from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from teller_gym.base.errors import ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.accounts.tools.auxiliary import AUXILIARY
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Tool, ToolSet
from tests.scenarios.guards import run

TOOLS = ToolSet(AUXILIARY)
CALLS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("auxiliary_calls.yaml").read_text("utf-8"))
OWN: list[Tool] = [TOOLS[name] for name in CALLS]
ANN, BOB, OTHER = "CU-100001", "CU-100002", "CU-100003"


def _person(name: str) -> dict[str, Any]:
    return {"full_name": name, "date_of_birth": "1985-03-02", "city": "Dayton", "state": "OH"}


def _request(kind: str, channel: str, received: str, persons: list[str], decision: str | None = None) -> dict[str, Any]:
    return {
        "kind": kind, "channel": channel, "received_date": received, "account_id": None, "decision": decision,
        "persons": [{"customer_id": key, "role": "owner"} for key in persons], "items": [],
    }  # fmt: skip


def _movement(kind: str, posted: str, amount: int, reference: str | None = None) -> dict[str, Any]:
    return {"kind": kind, "posted_on": posted, "amount": amount, "reference": reference}


def _account(owner: str, activity: list[dict[str, Any]]) -> dict[str, Any]:
    return {"customer_id": owner, "owners": [{"customer_id": owner, "role": "owner"}], "activity": activity}


TABLES: dict[str, dict[str, dict[str, Any]]] = {
    "customers": {ANN: _person("Ann Smith"), BOB: _person("Bob Jones"), OTHER: _person("Cleo Gray")},
    "accounts": {
        "AC-300001": _account(
            ANN, [_movement("check_paid", "2026-01-05", 7_500, "1042"), _movement("interest", "2026-02-27", 120),
                  _movement("owner_deposit", "2026-03-02", 20_000)],
        ),
        "AC-300002": _account(OTHER, [_movement("interest", "2026-02-27", 99)]),
    },
    "requests": {
        "SR-200001": _request("open_account", "branch", "2026-03-02", [ANN, OTHER]),
        "SR-200002": _request("close_account", "mail", "2026-02-10", [ANN, BOB]),
        "SR-200003": _request("stop_payment", "phone", "2025-05-02", [ANN], "decline"),
    },
    "watch_list": {
        "WL-400001": {"name": "Smith", "date_of_birth": "1960-01-01", "country": "MX", "list": "sanctions"},
        "WL-400002": {"name": "Ann Smith", "date_of_birth": "1985-03-02", "country": "US", "list": "pep"},
    },
}  # fmt: skip


def bank() -> Bank:
    policy = load_scenario("accounts").policy
    return Bank(TABLES, date(2026, 3, 10), policy, "SR-200001", case_table="requests")


def answer(name: str, arguments: dict[str, Any]) -> Any:
    """Return the result with what was recorded, or the error."""
    here = bank()
    try:
        return run(here, TOOLS, name, arguments), here.state_hash()
    except ToolError as found:
        return found.to_dict()


def test_there_are_21_of_which_twelve_are_the_scenarios_own_besides_the_history() -> None:
    assert len(AUXILIARY) == 21 and {tool.category for tool in AUXILIARY} == {Category.AUXILIARY}
    assert len(OWN) == 12
    writing = {"add_case_note", "create_reminder", "request_document", "draft_customer_letter", "place_account_alert"}
    assert {tool.name for tool in AUXILIARY if tool.writes} == writing


PARAMETERS = [(tool.name, parameter.name) for tool in OWN for parameter in tool.parameters]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_every_parameter_counts(name: str, parameter: str) -> None:
    entry = CALLS[name]
    base = entry["call"] | entry.get("together", {}).get(parameter, {})
    expected = answer(name, base)
    assert isinstance(expected, tuple), expected
    assert answer(name, base | {parameter: entry["other"][parameter]}) != expected


@pytest.mark.parametrize("tool", OWN, ids=lambda tool: tool.name)
def test_results_are_typed_and_repeatable_and_no_record_of_the_bank_is_touched(tool: Tool) -> None:
    first, second = bank(), bank()
    result = run(first, TOOLS, tool.name, CALLS[tool.name]["call"])
    assert run(second, TOOLS, tool.name, CALLS[tool.name]["call"]) == result
    assert first.state_hash() == second.state_hash()
    assert bool(first.diff()) == tool.writes
    assert all(change.table not in TABLES for change in first.diff())
    msgspec.convert(result, tool.result_type)


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [
        ("estimate_hold", {}, {"available_amount": 6_725.0, "unavailable_amount": 1_275.0}),
        ("estimate_hold", {"morning_of": "2026-03-10"}, {"available_amount": 275.0, "unavailable_amount": 7_725.0}),
        ("estimate_hold", {"morning_of": "2026-03-18"}, {"available_amount": 8_000.0, "unavailable_amount": 0.0}),
        ("preview_deadline", {"repeats": 1}, {"days": ["2026-03-14", "2026-03-22"]}),
        ("preview_deadline", {"roll": "previous"}, {"days": ["2026-03-13"]}),
        ("estimate_liability", {}, {"told_in_time": False, "liability": 500.0}),
        ("estimate_liability", {"told_on": "2026-03-04"}, {"told_in_time": True, "liability": 50.0}),
        ("estimate_liability", {"amount_after_that_day": 100}, {"told_in_time": False, "liability": 150.0}),
        ("preview_closing_balance", {}, {"payout": 72.0, "lacking": 0.0}),
        ("preview_closing_balance", {"ledger_amount": 10}, {"payout": 0.0, "lacking": 18.0}),
        ("preview_closing_balance", {"opened_on": "2025-12-10"}, {"payout": 72.0, "lacking": 0.0}),  # day 90
        ("preview_closing_balance", {"opened_on": "2025-12-09"}, {"payout": 97.0, "lacking": 0.0}),
    ],
)
def test_previews_by_hand(name: str, changed: dict[str, Any], expected: dict[str, Any]) -> None:
    assert run(bank(), TOOLS, name, CALLS[name]["call"] | changed) == expected


def test_a_stranger_to_a_request_gets_no_letter() -> None:
    for name in ("request_document", "draft_customer_letter"):
        with pytest.raises(ToolError) as caught:
            run(bank(), TOOLS, name, CALLS[name]["call"] | {"customer_id": BOB})
        assert caught.value.field == "customer_id"
