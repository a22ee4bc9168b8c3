"""Checks that changing any one comparison of a scenario's solver, expert or core tools is detected.

Each mutant runs on the frozen instances and the boundary cases, where expert and solver must agree. Guards
(``guards.py``) cover comparisons with which tools refuse calls, or compute values that no rule uses. Labels (branches,
rules) are compared with those of the unchanged solver.
"""

import ast
import copy
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import pytest

from teller_gym.procedure.scenario import Scenario, Solution, load_scenario
from teller_gym.procedure.task import Task
from teller_gym.registration import SCENARIOS
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.tool import ToolSet, tools_of
from tests.scenarios.bank_scenarios import bent_tasks, guards_of
from tests.scenarios.guards import ask
from tests.scenarios.mutants import FLIPS, NEGATIONS, Modules, copies, mutants, unchanged

Cases = list[tuple[Task, Solution]]

FLIPPED = pytest.mark.parametrize("flips", [FLIPS, NEGATIONS], ids=["flips", "negations"])


class Mutation:
    """Detection of mutants in a scenario's modules.

    Args:
        scenario: name of the scenario, such as ``loans``.
        solver, expert, tools: modules to mutate, by their names in the scenario's folder; the first of the solver's has
            ``solve``, the first of the expert's ``work``; the tools' modules are in the folder ``tools``.
        shared: further modules to mutate, by their full names.
        equivalent: places of mutants that compute the same, each with the reason.
    """

    def __init__(
        self,
        scenario: str,
        *,
        solver: Sequence[str] = ("solver",),
        expert: Sequence[str] = ("expert",),
        tools: Sequence[str],
        shared: Sequence[str] = (),
        equivalent: Mapping[str, str] | None = None,
    ) -> None:
        self._name = scenario
        package = SCENARIOS[scenario].module
        self._solver, self._expert = f"{package}.{solver[0]}", f"{package}.{expert[0]}"
        self._tools = tuple(f"{package}.tools.{name}" for name in tools)
        self.modules = (
            *(f"{package}.{name}" for name in (*solver, *expert)), *self._tools, *shared,
        )  # fmt: skip
        """Full names of all modules to mutate."""
        self._equivalent = dict(equivalent or {})

    @cached_property
    def scenario(self) -> Scenario:
        return load_scenario(self._name)

    @cached_property
    def cases(self) -> Cases:
        """Frozen tasks and boundary cases, each with the unchanged solver's solution."""
        tasks = [
            *frozen_tasks(self._name).values(),
            *(task for bent in bent_tasks(self._name).values() for task in bent),
        ]
        return [(task, self.scenario.solve(task)) for task in tasks]

    def survivors(self, module: str, flips: dict[type[ast.cmpop], type[ast.cmpop]]) -> set[str]:
        """Return the places of undetected mutants of a module, except equivalent ones."""
        found = list(mutants(module, flips))
        return {
            mutant.place
            for mutant in found
            if mutant.place not in self._equivalent and not self._is_caught(self._copies(module, mutant.code))
        }

    def check(self) -> None:
        """Check that unchanged copies are not flagged, that there are mutants, and that the equivalent ones exist."""
        for module in self.modules:
            assert not self._is_caught(self._copies(module, unchanged(module)), every=10), module
        places = {
            mutant.place for module in self.modules for flips in (FLIPS, NEGATIONS) for mutant in mutants(module, flips)
        }
        assert places, "nothing is turned"
        assert places >= self._equivalent.keys()

    def _copies(self, module: str, code: Any) -> Modules:
        return copies(module, code, (self._solver, self._expert, *self._tools))

    def _is_caught(self, made: Modules, every: int = 1) -> bool:
        """Return True if copies in place of the scenario's own modules give other results or raise an error.

        Args:
            made: the copies.
            every: step between the checked cases; 1 checks all.
        """
        cases = self.cases[::every]
        scenario = copy.copy(self.scenario)
        replaced = {tool.name: tool for name in self._tools if name in made for tool in tools_of(made[name])}
        scenario.tools = ToolSet([replaced.get(tool.name, tool) for tool in self.scenario.tools.values()])
        if self._expert in made:
            scenario.expert = made[self._expert].work
        try:
            if self._solver in made and not self._solves(made[self._solver].solve, cases):
                return True
            if (self._expert in made or replaced) and not self._works(scenario, cases):
                return True
            return bool(replaced) and any(ask(self.scenario, guard, scenario.tools) for guard in guards_of(self._name))
        except Exception:  # a mutant may fail in any way
            return True

    def _solves(self, solve: Callable[[Task, Any], Solution], cases: Cases) -> bool:
        """Return True if a solver agrees with the expert's results and the unchanged solver's labels."""
        return all(
            (found := solve(task, self.scenario.policy_of(task))) == right and found.outputs == task.standard.outputs
            for task, right in cases
        )

    def _works(self, scenario: Scenario, cases: Cases) -> bool:
        """Return True if the expert with replaced modules agrees with the solver and the recorded calls."""
        return all(
            (found := scenario.run_expert(task, self.scenario.policy_of(task))).outputs == right.outputs
            and found == task.standard
            for task, right in cases
        )
