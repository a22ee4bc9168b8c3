"""Claims that core tools, policy numbers and clauses in a scenario are all used."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from importlib import import_module, resources
from itertools import chain
from typing import Any

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.proof.sizes import not_measured
from teller_gym.tasks.store import generate_task

FIRST_SEED = 7_000_000
"""First seed of the generated instances for testing changed policy numbers."""

FEWEST_GENERATED = 500
"""Minimum number of generated instances for an idle number to fail the check and not only be reported."""

IDLE_NUMBERS = "idle_numbers.yaml"
NO_LAPSE = "no_lapse.yaml"


def core_tools(env_id: str) -> ProofItem:
    """Check that each core tool is called in the standard result of at least one frozen instance."""
    under = subject(env_id)
    called = {call.name for task in under.tasks for call in task.standard.calls}
    nodes = under.scenario.graph.nodes
    problems = [
        f"{name} is a core tool and no instance requires it: have the expert call it where the SOP asks for it, or "
        "take it out of graph.yaml"
        for name in nodes
        if name not in called
    ]
    figure = f"{len(nodes) - len(problems)} of {len(nodes)} core tools"
    return item("core_tools", "each core tool is required by some instance", figure, problems, {"tools": len(nodes)})


def clauses(env_id: str) -> ProofItem:
    """Check that each clause has a lapse that omits it, or a reason in `no_lapse.yaml` for having none."""
    scenario = subject(env_id).scenario
    claim = "each clause has a lapse, or a reason why it has none"
    if not scenario.lapses:
        return not_measured("clauses", claim, scenario.name, "lapses.py with LAPSES")
    named = {rule for lapse in scenario.lapses.values() for rule in lapse.clauses}
    reasons = _reasons(f"{scenario.package}.lapses", NO_LAPSE) | _reasons(scenario.package, NO_LAPSE)
    every = list(scenario.sop_document.clauses())
    problems = [
        f"clause {one} has no lapse: write the expert that leaves it out, or give the reason in {NO_LAPSE}"
        for one in every
        if one not in named and one not in reasons
    ]
    figure = f"{len(every) - len(problems)} of {len(every)} clauses"
    return item("clauses", claim, figure, problems, {"clauses": len(every), "lapses": len(scenario.lapses)})


def policy_numbers(env_id: str, generated: int = 600) -> ProofItem:
    """Check that changing any policy number changes the answer or the calls in at least one instance.

    Exceptions, such as unused rows of a table that is stated in full, are listed in `idle_numbers.yaml` with the
    reason, by paths such as ``divisors.*``. With fewer than 500 generated instances, idle numbers are reported but do
    not fail the check.
    """
    under = subject(env_id)
    scenario = under.scenario
    fresh = (generate_task(scenario.name, FIRST_SEED + number) for number in range(generated))
    cases = _Cases(scenario, chain((task for task in under.tasks if not task.policy), fresh))
    tree = msgspec.json.decode(msgspec.json.encode(scenario.policy))
    reasons = _reasons(scenario.package, IDLE_NUMBERS)
    numbers = [(path, value) for path, value in _leaves(tree) if type(value) in (int, float)]
    names = {".".join(path): (path, value) for path, value in numbers}
    excused = [name for name in names if any(fnmatchcase(name, pattern) for pattern in reasons)]
    left = [name for name, one in names.items() if name not in excused and not cases.notice(tree, *one)]
    problems = [
        f"policy.{name} changes no answer and no call of any instance: have expert and solver use it, take it out, or "
        f"give the reason in {IDLE_NUMBERS}"
        for name in left
    ]
    counted = len(numbers) - len(excused)
    figure = f"{counted - len(left)} of {counted} numbers, {len(excused)} excused, {generated} generated instances"
    claim = "each policy number changes some answer"
    measured = {"numbers": len(numbers), "excused": excused, "idle": left}
    judged = problems if generated >= FEWEST_GENERATED else []
    return item("policy_numbers", claim, figure, judged, measured, problems if judged != problems else ())


class _Cases:
    """Instances for testing a changed policy.

    Frozen ones come first, then fresh ones, which are generated only when needed.
    """

    def __init__(self, scenario: Scenario, tasks: Iterator[Task]) -> None:
        self._scenario = scenario
        self._tasks = tasks
        self._made: list[Task] = []

    def notice(self, tree: dict[str, Any], path: tuple[str, ...], value: float) -> bool:
        """Return True if another value at the path changes an instance's answer or calls.

        True is also returned if no other value is valid.
        """
        others = list(self._others(tree, path, value))
        return not others or any(self._differs(task, policy) for policy in others for task in self._each())

    def _others(self, tree: dict[str, Any], path: tuple[str, ...], value: float) -> Iterator[Any]:
        for other in dict.fromkeys((value + 1, value - 1, value * 2, value // 2, 0, value * 10 + 10)):
            if other != value:
                with suppress(msgspec.ValidationError, ScenarioError):  # the policy's type does not allow it
                    changed = msgspec.json.encode(_with(tree, path, other))
                    yield msgspec.json.decode(changed, type=type(self._scenario.policy))

    def _each(self) -> Iterator[Task]:
        yield from self._made
        for task in self._tasks:
            self._made.append(task)
            yield task

    def _differs(self, task: Task, policy: Any) -> bool:
        try:
            solved, standard = self._scenario.solve(task, policy).outputs, task.standard
            return solved != standard.outputs or self._scenario.run_expert(task, policy).calls != standard.calls
        except Exception:  # an unexpected value: the failure shows that the number is used
            return True


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, (*path, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _leaves(one, (*path, str(number)))
    else:
        yield path, value


def _with(tree: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return a copy of a tree with the value at a path replaced."""
    changed = copy.deepcopy(tree)
    place: Any = changed
    *above, last = path
    for name in above:
        place = place[int(name) if isinstance(place, list) else name]
    place[int(last) if isinstance(place, list) else last] = value
    return changed


def _reasons(package: str, name: str) -> dict[str, str]:
    """Return the exceptions and their reasons in a package's document, or an empty dictionary if it does not exist."""
    try:
        if not hasattr(import_module(package), "__path__"):
            return {}
        file = resources.files(package).joinpath(name)
        return msgspec.yaml.decode(file.read_bytes(), type=dict[str, str]) if file.is_file() else {}
    except ModuleNotFoundError:
        return {}
