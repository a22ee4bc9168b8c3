"""Turning any one comparison of solver, expert or core tools is noticed.

Each mutant goes through the frozen instances and some bent onto further boundaries: expert against solver. What the
tools compare in order to refuse a call, or to answer what no rule reads, is put to the questions of ``guards.py``. What
only labels (branches, rules) is held against the labels of the frozen instances.
"""

import copy
import types
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from teller_gym.procedure.scenario import Scenario, Solution, load_scenario
from teller_gym.procedure.task import Task
from teller_gym.scenarios.loans.tools import identity as loans_identity
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.tool import ToolSet, tools_of
from tests.scenarios.loans.bent import all_bent
from tests.scenarios.loans.guards import GUARDS, ask
from tests.scenarios.loans.mutants import FLIPS, NEGATIONS, Mutant, mutants, rerun

pytestmark = pytest.mark.slow

LOANS = load_scenario("loans")
PACKAGE = "teller_gym.scenarios.loans"
TOOL_MODULES = ("intake", "identity", "credit", "income", "collateral", "pricing", "decision")
BANKING = "teller_gym.scenarios.banking"
FLIPPED = pytest.mark.parametrize("flips", [FLIPS, NEGATIONS], ids=["flips", "negations"])

EQUIVALENT: dict[str, str] = {
    "solver_facts.qualifying_income: latest < before  ->  latest <= before": "equal years have their own value as mean",
    "income.monthly_income: latest >= prior  ->  latest > prior": "the same",
}
"""Mutants that compute the same, each with the reason."""


@cache
def cases() -> list[tuple[Task, Solution]]:
    """Return frozen and bent tasks with what the solver says of them."""
    tasks = [*frozen_tasks("loans").values(), *(task for bent in all_bent().values() for task in bent)]
    return [(task, LOANS.solve(task)) for task in tasks]


def solver_is_caught(solve: Callable[[Task, Any], Solution]) -> bool:
    """Whether a solver differs from the expert's results, or in its labels from the right solver's."""
    for task, right in cases():
        try:
            solution = solve(task, LOANS.policy)
        except Exception:  # a mutant may fail in any way
            return True
        if solution.outputs != task.standard.outputs or solution != right:
            return True
    return False


def scenario_is_caught(scenario: Scenario) -> bool:
    """Whether the expert with these tools differs from the solver's results, or from the recorded calls."""
    for task, right in cases():
        try:
            standard = scenario.run_expert(task)
        except Exception:
            return True
        if standard.outputs != right.outputs or standard != task.standard:
            return True
    return False


def guards_catch(tools: ToolSet) -> bool:
    """Whether some question to the tools is answered wrongly."""
    try:
        return any(ask(guard, tools) is not None for guard in GUARDS)
    except Exception:
        return True


def with_tools(modules: Iterable[Any]) -> Scenario:
    """Return the scenario with the tools of some modules in place of its own."""
    replaced = {tool.name: tool for module in modules for tool in tools_of(module)}
    scenario = copy.copy(LOANS)
    scenario.tools = ToolSet([replaced.get(tool.name, tool) for tool in LOANS.tools.values()])
    return scenario


def guarded(module: Any) -> types.SimpleNamespace:
    """Return the bank's identity tools of a module as Loans has them: identification waits for a complete case."""
    tools = {tool.name: tool for tool in tools_of(module)}
    tools["verify_identity"] = tools["verify_identity"].guarded(loans_identity._require_complete)
    return types.SimpleNamespace(**tools)


def survivors(found: Iterator[Mutant], is_caught: Callable[[Any], bool]) -> set[str]:
    """Return the places of the mutants that nothing noticed, but for the equivalent ones."""
    places = [(mutant.place, is_caught(mutant.module)) for mutant in found]
    assert places, "nothing was turned"
    assert len({place for place, caught in places if not caught and place in EQUIVALENT}) <= len(EQUIVALENT)
    return {place for place, caught in places if not caught and place not in EQUIVALENT}


def test_nothing_turned_is_nothing_noticed() -> None:
    assert not solver_is_caught(rerun(f"{PACKAGE}.solver", {}).solve)
    assert not scenario_is_caught(with_tools(rerun(f"{PACKAGE}.tools.{name}", {}) for name in TOOL_MODULES))
    assert not guards_catch(LOANS.tools)


@FLIPPED
def test_solver(flips: Any) -> None:
    assert survivors(mutants(f"{PACKAGE}.solver", flips), lambda module: solver_is_caught(module.solve)) == set()


@FLIPPED
def test_facts_of_the_solver(flips: Any) -> None:
    def is_caught(module: Any) -> bool:
        return solver_is_caught(rerun(f"{PACKAGE}.solver", vars(module)).solve)

    assert survivors(mutants(f"{PACKAGE}.solver_facts", flips), is_caught) == set()


@FLIPPED
def test_expert(flips: Any) -> None:
    def is_caught(module: Any) -> bool:
        scenario = copy.copy(LOANS)
        scenario.expert = module.work
        return scenario_is_caught(scenario)

    assert survivors(mutants(f"{PACKAGE}.expert", flips), is_caught) == set()


@FLIPPED
@pytest.mark.parametrize("name", TOOL_MODULES)
def test_core_tools(name: str, flips: Any) -> None:
    def is_caught(module: Any) -> bool:
        scenario = with_tools([module])
        return scenario_is_caught(scenario) or guards_catch(scenario.tools)

    found = list(mutants(f"{PACKAGE}.tools.{name}", flips))
    if found or flips is FLIPS:  # some module compares only for equality
        assert survivors(iter(found), is_caught) == set()


def test_look_ups() -> None:
    def is_caught(module: Any) -> bool:
        own = [rerun(f"{PACKAGE}.tools.{name}", vars(module)) for name in TOOL_MODULES if name != "identity"]
        scenario = with_tools([*own, guarded(rerun(f"{BANKING}.tools.identity", vars(module)))])
        return scenario_is_caught(scenario) or guards_catch(scenario.tools)

    assert survivors(mutants(f"{BANKING}.lookup", FLIPS), is_caught) == set()


@FLIPPED
def test_identity_and_watch_lists_of_the_bank(flips: Any) -> None:
    def is_caught(module: Any) -> bool:
        scenario = with_tools([guarded(module)])
        return scenario_is_caught(scenario) or guards_catch(scenario.tools)

    found = list(mutants(f"{BANKING}.tools.identity", flips))
    if found or flips is FLIPS:  # it compares only for equality
        assert survivors(iter(found), is_caught) == set()


def test_equivalent_mutants_still_exist() -> None:
    places = {m.place for name in ("solver_facts", "tools.income") for m in mutants(f"{PACKAGE}.{name}", FLIPS)}
    assert places >= EQUIVALENT.keys()
