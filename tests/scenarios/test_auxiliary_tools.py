"""Auxiliary tools: every parameter matters, results equal hand-computed ones, and the case stays unchanged."""

import json
from importlib import import_module
from typing import Any

import msgspec
import numpy as np
import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.envs.spaces.sampling import sample_arguments
from teller_gym.procedure.scenario import Scenario
from teller_gym.tools.tool import Category
from tests.scenarios.auxiliary import ANSWERED, SCENARIOS, ask, error, examples, new_bank, tools_of
from tests.scenarios.bank_scenarios import each_scenario, tasks_of
from tests.scenarios.guards import run

each_tool = pytest.mark.parametrize(
    ("scenario", "tool"), [(scenario, tool) for scenario in SCENARIOS for tool in examples(scenario).calls]
)
WRITING = {
    "loans": {"add_case_note", "create_reminder", "draft_customer_letter", "request_document"},
    "accounts": {
        "add_case_note", "create_reminder", "draft_customer_letter", "request_document", "place_account_alert",
    },
    "credit_cards": {
        "add_case_note", "create_reminder", "draft_card_letter", "request_card_document", "draft_dispute",
        "lock_card_for_a_while",
    },
    "savings": {"add_case_note", "create_reminder", "draft_customer_letter", "request_document"},
    "investments": {"add_case_note", "create_reminder", "draft_client_letter", "request_client_paper"},
}  # fmt: skip


@each_scenario
def test_few_of_them_write_and_most_take_many_parameters(scenario: Scenario) -> None:
    auxiliary = scenario.tools.of(Category.AUXILIARY)
    assert {tool.name for tool in auxiliary if tool.writes} == WRITING[scenario.name]
    assert sum(len(tool.parameters) >= 7 for tool in auxiliary) >= 9


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_examples_call_every_tool_of_the_scenarios_own(scenario: str) -> None:
    shared = set() if scenario == "loans" else set(tools_of("loans")) & set(tools_of(scenario))
    own = {"list_customer_requests", "request_document", "draft_customer_letter"}
    assert set(examples(scenario).calls) >= set(tools_of(scenario)) - (shared - own)


def answer(scenario: str, tool: str, arguments: dict[str, Any]) -> Any:
    """Return the result with the new state, or the error, on a bank with some records for the history."""
    bank = new_bank(scenario)
    owners = ("CU-100001", "CU-100002", bank.case_id, bank.case_id)
    for number, owner in enumerate(owners):
        bank.put("verifications" if number < 2 else "decisions", f"X-{number}", {"owner": owner, "status": "verified"})
    try:
        return ask(scenario, tool, bank, **arguments), bank.state_hash()
    except ToolError as found:
        return found.to_dict()


@each_tool
def test_every_parameter_counts(scenario: str, tool: str) -> None:
    example = examples(scenario).calls[tool]
    assert set(example.other) == {parameter.name for parameter in tools_of(scenario)[tool].parameters}
    for parameter, value in example.other.items():
        base = example.call | example.together.get(parameter, {})
        expected = answer(scenario, tool, base)
        assert isinstance(expected, tuple), expected
        assert answer(scenario, tool, base | {parameter: value}) != expected, parameter


@each_tool
def test_results_are_typed_and_repeatable_and_no_record_of_the_bank_is_touched(scenario: str, tool: str) -> None:
    first, second = new_bank(scenario), new_bank(scenario)
    result = ask(scenario, tool, first, **examples(scenario).arguments(tool))
    assert ask(scenario, tool, second, **examples(scenario).arguments(tool)) == result
    assert first.state_hash() == second.state_hash()
    assert bool(first.diff()) == tools_of(scenario)[tool].writes
    assert all(change.table not in examples(scenario).tables for change in first.diff())
    assert len(json.dumps(result)) <= (4_000 if tool == "get_deadline_table" else 650)
    msgspec.convert(result, tools_of(scenario)[tool].result_type)


def holds(found: Any, expected: Any) -> bool:
    """Return True if a result contains everything expected; its records may have more fields."""
    if isinstance(expected, dict):
        return all(name in found and holds(found[name], value) for name, value in expected.items())
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(holds, found, expected))
    return bool(found == expected)


@pytest.mark.parametrize(
    ("scenario", "tool", "changed", "expected"),
    [(scenario, *given) for scenario in ANSWERED for given in examples(scenario).answers],
)
def test_answers_by_hand(scenario: str, tool: str, changed: dict[str, Any], expected: dict[str, Any]) -> None:
    found = ask(scenario, tool, **examples(scenario).arguments(tool, **changed))
    assert holds(found, expected), found


@pytest.mark.parametrize(
    ("scenario", "tool", "changed", "place"),
    [(scenario, *given) for scenario in ANSWERED for given in examples(scenario).refused],
)
def test_what_cannot_be_is_refused_and_writes_nothing(
    scenario: str, tool: str, changed: dict[str, Any], place: str
) -> None:
    bank = new_bank(scenario)
    found = error(scenario, tool, bank, **examples(scenario).arguments(tool, **changed))
    assert place in (found.field, found.kind)
    assert found.kind in (ErrorKind.VALIDATION, ErrorKind.TYPE) and bank.diff() == []


@each_scenario
def test_every_expression_of_an_entry_compiles_and_every_step_is_used(scenario: Scenario) -> None:
    subject = import_module(f"{scenario.package}.tools.auxiliary").SUBJECT
    assert {tool: subject.behaviour(tool).unused for tool in subject.entries} == {tool: [] for tool in subject.entries}


@each_scenario
def test_whatever_a_schema_admits_is_answered_or_refused(scenario: Scenario) -> None:
    rng = np.random.default_rng(7)
    task = tasks_of(scenario)[0]
    for tool in scenario.tools.of(Category.AUXILIARY):
        for _ in range(20):
            bank = scenario.bank(task)
            try:
                run(bank, scenario.tools, tool.name, sample_arguments(tool.parameters, rng))
            except ToolError:
                assert bank.diff() == []
