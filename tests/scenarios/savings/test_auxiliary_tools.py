"""The auxiliary tools that the savings scenario has of its own: every parameter counts, and none touches the case."""

from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from teller_gym.base.errors import ToolError
from teller_gym.scenarios.savings.tools.auxiliary import AUXILIARY
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Tool, ToolSet
from tests.scenarios.guards import run
from tests.scenarios.savings.bent import SAVINGS

TOOLS = ToolSet(AUXILIARY)
CALLS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("auxiliary_calls.yaml").read_text("utf-8"))
OWN: list[Tool] = [TOOLS[name] for name in CALLS]
ANN, BOB, OTHER = "CU-100001", "CU-100002", "CU-100003"


def _person(name: str) -> dict[str, Any]:
    return {"full_name": name, "date_of_birth": "1985-03-02", "city": "Dayton", "state": "OH"}


def _request(kind: str, channel: str, received: str, persons: list[str], decision: str | None = None) -> dict[str, Any]:
    return {
        "kind": kind, "channel": channel, "received_date": received, "decision": decision,
        "persons": [{"customer_id": key} for key in persons],
    }  # fmt: skip


def _movement(number: int, kind: str, posted: str, amount: int) -> dict[str, Any]:
    return {
        "movement_id": f"MV-10000{number}", "kind": kind, "ordered_on": posted, "posted_on": posted, "amount": amount,
        "reversed_on": None, "memo": None,
    }  # fmt: skip


def _account(owner: str, movements: list[dict[str, Any]]) -> dict[str, Any]:
    return {"customer_id": owner, "ownership": "single", "movements": movements}


TABLES: dict[str, dict[str, dict[str, Any]]] = {
    "customers": {ANN: _person("Ann Smith"), BOB: _person("Bob Jones"), OTHER: _person("Cleo Gray")},
    "accounts": {
        "AC-300001": _account(
            ANN, [_movement(1, "ach_debit", "2026-01-05", 7_500), _movement(2, "ach_credit", "2026-02-27", 12_000)],
        ),
        "AC-300002": _account(OTHER, [_movement(3, "service_fee", "2026-02-27", 99)]),
    },
    "requests": {
        "SV-200001": _request("withdrawal", "branch", "2026-03-02", [ANN, OTHER]),
        "SV-200002": _request("maturity", "mail", "2026-02-10", [ANN, BOB]),
        "SV-200003": _request("withdrawal", "phone", "2025-05-02", [ANN], "decline"),
    },
}  # fmt: skip


def bank() -> Bank:
    return Bank(TABLES, date(2026, 3, 10), SAVINGS.policy, "SV-200001", case_table="requests")


def answer(name: str, arguments: dict[str, Any]) -> Any:
    """Return the result with what was recorded, or the error."""
    here = bank()
    try:
        return run(here, TOOLS, name, arguments), here.state_hash()
    except ToolError as found:
        return found.to_dict()


def test_there_are_19_of_which_ten_are_the_scenarios_own_besides_the_history() -> None:
    assert len(AUXILIARY) == 19 and {tool.category for tool in AUXILIARY} == {Category.AUXILIARY}
    assert len(OWN) == 10
    own_module = [tool.name for tool in AUXILIARY if tool.name in CALLS]
    assert sorted(own_module) == sorted(CALLS)


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
        ("estimate_interest", {}, {"interest": 61.68, "annual_yield_percent": 6.17}),
        (
            "estimate_interest",
            {"yearly_rate": 6.091, "last_day": "2026-07-02"},
            {"interest": 30.37, "annual_yield_percent": 6.18},
        ),
        ("preview_withdrawal", {}, {"interest": 219.18, "charge": 98.63, "paid": 10_120.55}),
        ("preview_withdrawal", {"withdrawn_on": "2026-02-10"}, {"interest": 43.84, "charge": 98.63, "paid": 9_945.21}),
        ("preview_withdrawal", {"charged": False}, {"interest": 219.18, "charge": 0.0, "paid": 10_219.18}),
        ("preview_maturity_dates", {}, {"maturity_dates": ["2026-08-30"]}),
        ("preview_maturity_dates", {"terms": 2}, {"maturity_dates": ["2026-08-30", "2027-02-28"]}),
        ("preview_maturity_dates", {"weekend_rule": "next_weekday"}, {"maturity_dates": ["2026-08-31"]}),
        # 249,000 single, 250,000 of 300,000 joint, 10,000 and 500,000 of 600,000
        ("estimate_coverage", {}, {"insured": 1_009_000.0, "not_insured": 150_000.0}),
        ("estimate_coverage", {"planned_deposit": 2_000}, {"insured": 1_010_000.0, "not_insured": 151_000.0}),
    ],
)
def test_previews_by_hand(name: str, changed: dict[str, Any], expected: dict[str, Any]) -> None:
    assert run(bank(), TOOLS, name, CALLS[name]["call"] | changed) == expected


def test_rates_are_those_of_the_last_sheet_before_the_day() -> None:
    since = run(bank(), TOOLS, "get_rate_sheet", {"on_day": "2026-03-15"})["in_force_since"]
    assert since == "2025-10-06"
    with pytest.raises(ToolError) as caught:
        run(bank(), TOOLS, "get_rate_sheet", {"on_day": "2025-10-05"})
    assert caught.value.field == "on_day"


def test_a_stranger_to_a_request_gets_no_letter() -> None:
    for name in ("request_document", "draft_customer_letter"):
        with pytest.raises(ToolError) as caught:
            run(bank(), TOOLS, name, CALLS[name]["call"] | {"customer_id": BOB})
        assert caught.value.field == "customer_id"
