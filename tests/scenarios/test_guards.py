"""Core tools refuse invalid calls, enforce the order of the graph, and write only if declared."""

from typing import Any

import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.graph import EdgeKind
from teller_gym.procedure.scenario import Scenario, load_scenario
from tests.scenarios.bank_scenarios import NAMES, each_scenario, guards_of, tasks_of
from tests.scenarios.guards import Guard, ask, run

GUARDS = [
    pytest.param(name, guard, id=f"{name}-{number}-{guard.tool}-{guard.field or guard.without or 'allowed'}")
    for name in NAMES
    for number, guard in enumerate(guards_of(name))
]
ENFORCED = [
    pytest.param(name, edge, id=f"{name}-{edge.upstream}-{edge.downstream}")
    for name in NAMES
    for edge in load_scenario(name).graph.edges
    if edge.kind is not EdgeKind.DATA
]


@pytest.mark.parametrize(("name", "guard"), GUARDS)
def test_what_a_core_tool_refuses_and_allows(name: str, guard: Guard) -> None:
    scenario = load_scenario(name)
    assert ask(scenario, guard, scenario.tools) is None


@pytest.mark.parametrize(("name", "edge"), ENFORCED)
def test_every_state_and_temporal_edge_is_enforced_in_every_case(name: str, edge: Any) -> None:
    met, scenario = 0, load_scenario(name)
    for task in tasks_of(scenario):
        names = [call.name for call in task.standard.calls]
        if not {edge.upstream, edge.downstream} <= set(names):
            continue
        met += 1
        bank, refused = scenario.bank(task), False
        for call in task.standard.calls:
            if call.name == edge.upstream:
                continue
            try:
                run(bank, scenario.tools, call.name, call.arguments)
            except ToolError as error:
                assert error.kind is ErrorKind.ORDER, (task.id, error.message)
                if call.name == edge.downstream:
                    assert edge.upstream in error.message, (task.id, error.message)
                    refused = True
        assert refused, task.id
    assert met > 5


@each_scenario
def test_the_same_call_in_the_same_state_gives_the_same_bytes_and_writes_only_if_it_says_so(scenario: Scenario) -> None:
    for task in tasks_of(scenario)[::20]:
        bank = scenario.bank(task)
        for call in task.standard.calls:
            other, before = bank.fork(bank.snapshot()), bank.state_hash()
            first = run(bank, scenario.tools, call.name, call.arguments)
            assert run(other, scenario.tools, call.name, call.arguments) == first
            assert other.state_hash() == bank.state_hash()
            assert scenario.tools[call.name].writes or bank.state_hash() == before, call.name
