"""The core tools: what they refuse, and that they enforce the order that the graph's state edges ask for."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from teller_gym.bank import Record
from teller_gym.errors import ErrorKind, ToolError
from teller_gym.graph import EdgeKind
from teller_gym.tools import Category
from tests.scenarios.loans.guards import GUARDS, LOANS, TASKS, Guard, ask, run


def name_of(guard: Guard) -> str:
    changes = "" if callable(guard.changes) else ",".join(f"{key}={value}" for key, value in guard.changes.items())
    return f"{guard.tool}-{changes}{'without-' + guard.without if guard.without else ''}"


@pytest.mark.parametrize("guard", GUARDS, ids=name_of)
def test_guard(guard: Guard) -> None:
    assert ask(guard, LOANS.tools) is None


def test_every_core_tool_but_the_first_look_is_guarded() -> None:
    assert {guard.tool for guard in GUARDS} == {tool.name for tool in LOANS.tools.of(Category.CORE)}


ENFORCED = [edge for edge in LOANS.graph.edges if edge.kind is not EdgeKind.DATA]


@pytest.mark.parametrize("edge", ENFORCED, ids=lambda edge: f"{edge.upstream}-{edge.downstream}")
def test_every_state_and_temporal_edge_is_enforced_in_every_case(edge: Any) -> None:
    met = 0
    for task in TASKS:
        names = [call.name for call in task.standard.calls]
        if not {edge.upstream, edge.downstream} <= set(names):
            continue
        met += 1
        bank = LOANS.bank(task)
        refused = []
        for call in task.standard.calls:
            if call.name == edge.upstream:
                continue
            try:
                run(bank, LOANS.tools, call.name, call.arguments)
            except ToolError as error:
                assert error.kind is ErrorKind.ORDER, (task.id, error.message)
                if call.name == edge.downstream:
                    assert edge.upstream in error.message, (task.id, error.message)
                    refused.append(call)
        assert refused, task.id
    assert met > 5


def test_the_same_call_in_the_same_state_gives_the_same_bytes() -> None:
    for task in TASKS[::20]:
        bank = LOANS.bank(task)
        for call in task.standard.calls:
            before = bank.snapshot()
            first = run(bank, LOANS.tools, call.name, call.arguments)
            other = bank.fork(before)
            assert run(other, LOANS.tools, call.name, call.arguments) == first
            assert other.state_hash() == bank.state_hash()


def test_only_tools_that_say_so_write() -> None:
    for task in TASKS[::10]:
        bank = LOANS.bank(task)
        for call in task.standard.calls:
            before = bank.state_hash()
            run(bank, LOANS.tools, call.name, call.arguments)
            assert LOANS.tools[call.name].writes or bank.state_hash() == before, call.name


def test_another_customers_id_is_answered_with_that_customers_data() -> None:
    task = TASKS[0]
    other = next(key for key in task.tables["applications"] if key != task.case_id)
    seen = run(LOANS.bank(task), LOANS.tools, "get_application_data", {"application_id": other})
    record = task.tables["applications"][other]
    assert seen["applicants"] == record["applicants"] and seen["requested_amount"] * 100 == record["requested_amount"]


SCOPES: dict[str, Callable[[Record], bool]] = {
    "us_lists": lambda entry: entry["region"] == "us" and entry["list"] != "pep",
    "us_and_pep_lists": lambda entry: entry["region"] == "us",
    "global_lists": lambda entry: entry["list"] != "pep",
    "global_and_pep_lists": lambda entry: True,
}


def test_a_scope_finds_the_entries_of_its_lists_alone() -> None:
    answers: dict[str, set[bool]] = {scope: set() for scope in SCOPES}
    for task in TASKS:
        entries = list(task.tables["watch_list"].items())
        for number, call in enumerate(task.standard.calls):
            if call.name != "screen_watch_list":
                continue
            bank = LOANS.bank(task)
            for earlier in task.standard.calls[:number]:
                run(bank, LOANS.tools, earlier.name, earlier.arguments)
            name = str(call.arguments["verified_name"]).casefold()
            for scope, holds in SCOPES.items():
                result = run(bank, LOANS.tools, call.name, call.arguments | {"list_scope": scope})
                found = [key for key, entry in entries if entry["name"].casefold() == name and holds(entry)]
                assert result["list_entry_id"] == (found[0] if found else None), (task.id, scope)
                same_name = any(entry["name"].casefold() == name for _, entry in entries)
                if same_name:
                    answers[scope].add(bool(found))
    assert answers == {scope: {True, False} if scope != "global_and_pep_lists" else {True} for scope in SCOPES}


def test_masked_fields_are_no_argument_of_a_required_call() -> None:
    assert any(field.masked for field in LOANS.template.existing)
    masked = {field.name for field in LOANS.template.existing if field.masked}
    for task in TASKS:
        for call in task.standard.calls:
            assert not masked & call.arguments.keys()
            assert b"***" not in msgspec.json.encode(call.arguments), (task.id, call.name)
    for tool in LOANS.tools.of(Category.CORE):
        assert not masked & {parameter.name for parameter in tool.parameters}


def test_masked_fields_are_masked_wherever_they_stand() -> None:
    for task in TASKS:
        for record in task.tables["applications"].values():
            assert all(person["tax_id"].startswith("***-**-") for person in record["applicants"])
        for record in task.tables["customers"].values():
            assert record["phone"].startswith("***-***-") and "***@" in record["email"]
