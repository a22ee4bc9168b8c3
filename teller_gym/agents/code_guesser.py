"""Solves a case with knowledge of everything except the codes in the SOP's tables, which are tried one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

import msgspec

from teller_gym.agents.schemas import is_date
from teller_gym.procedure.graph import How
from teller_gym.procedure.officer import Steps
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks.store import split_tasks
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action

Codes = dict[str, dict[str, tuple[str, ...]]]
"""Codes used in tasks, by tool and argument, the most frequent first."""


@cache
def codes_of(scenario: str) -> Codes:
    """Return the codes that a scenario's tasks use.

    They are counted in the train split, or in the held-out split if there is no train split. An argument is a code if
    it is a text that has to be derived and that occurs in the policy.
    """
    return codes_in(load_scenario(scenario), split_tasks(scenario, Split.TRAIN) or split_tasks(scenario, Split.HELDOUT))


def codes_in(scenario: Scenario, tasks: Iterable[Task]) -> Codes:
    """Return the codes used in the given tasks; see `codes_of`."""
    listed = frozenset(text for text in _texts(msgspec.to_builtins(scenario.policy)) if not is_date(text))
    counts: dict[tuple[str, str], Counter[str]] = {}
    for task in tasks:
        for call in task.standard.calls:
            for name, node_input in scenario.graph.nodes[call.name].inputs.items():
                value = call.arguments.get(name)
                if node_input.how is How.DERIVE and isinstance(value, str) and value in listed:
                    counts.setdefault((call.name, name), Counter())[value] += 1
    found: Codes = {}
    for (tool, name), values in counts.items():
        found.setdefault(tool, {})[name] = tuple(value for value, _ in values.most_common())
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def guessed_codes(scenario: Scenario, task: Task, codes: Codes | None = None) -> Steps:
    """Yield the standard calls, trying codes for each until the result equals that of the right codes.

    If a wrong code gives the same result, the more frequent of the two is used. Without `codes`, those of `codes_of`
    are tried.
    """
    codes = codes_of(scenario.name) if codes is None else codes
    bank = scenario.bank(task)
    for call in task.standard.calls:
        wanted = run_action(bank, scenario.tools, action_text(call))
        tried = codes.get(call.name, {})
        for values in product(*tried.values()):
            result = yield Call(call.name, {**call.arguments, **dict(zip(tried, values, strict=True))})
            if result == wanted:
                break
