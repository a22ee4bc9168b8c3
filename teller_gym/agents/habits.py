"""Statistics of outcomes in the train split, for agents that guess.

Only the public parts of a train task are used: its standard calls and outputs, and the result of the first call, which
reads the case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Any, NamedTuple

from teller_gym.agents.schemas import is_date
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks.store import split_tasks
from teller_gym.tools.run import action_text, run_action

DENIAL_WORDS = ("deny", "denied", "denial", "decline", "declined", "reject", "rejected", "refuse", "refused")
ESCALATION_WORDS = (
    *("escalate", "escalated", "escalation", "refer", "referred", "referral", "review", "manual", "senior"),
    *("supervisor", "manager", "specialist", "compliance", "committee"),
)


class Recipe(NamedTuple):
    """Rule that derives an output from a case.

    The output is a constant, a field of the case, or a number of days after a date in it.
    """

    field: str | None
    constant: Any = None
    days: int | None = None

    def apply(self, view: Mapping[str, Any]) -> Any:
        """Return the output for a case as read by the agent, or None if the field is missing."""
        if self.field is None:
            return self.constant
        value = view.get(self.field)
        if self.days is None:
            return value
        if not isinstance(value, str) or not is_date(value):
            return None
        return (date.fromisoformat(value) + timedelta(days=self.days)).isoformat()


class Observed(NamedTuple):
    """Observation of one train task: the fields of its case, its outputs, and the names of its standard calls."""

    view: dict[str, Any]
    outputs: dict[str, Any]
    calls: tuple[str, ...]


class Plan(NamedTuple):
    """Guess of every output, and the tools to call.

    The tools are those called, in order, in every task with this type of answer.
    """

    recipes: dict[str, Recipe]
    sure: frozenset[str]
    """Outputs whose recipe is right in most of the tasks with this type of answer."""
    share: float
    """Share of the train tasks in which all recipes are right."""
    chain: tuple[str, ...]

    def outputs(self, view: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the sure and the unsure outputs for a case, without those that cannot be derived."""
        made = {name: recipe.apply(view) for name, recipe in self.recipes.items()}
        known = {name: value for name, value in made.items() if value is not None}
        return (
            {name: value for name, value in known.items() if name in self.sure},
            {name: value for name, value in known.items() if name not in self.sure},
        )


_SURE = 0.5
"""Share of the remaining tasks above which a recipe takes precedence over values observed in the episode."""


class Habits:
    """Statistics of train tasks."""

    def __init__(self, observed: Sequence[Observed]) -> None:
        self._observed = observed
        self.fields = tuple(observed[0].outputs)
        self.tools = frozenset(name for item in observed for name in item.calls)
        """Names of the tools called in at least one task."""

    def plan(self, kind: Callable[[Mapping[str, Any]], bool] = lambda outputs: True) -> Plan:
        """Return a plan with the most frequent answer.

        It is taken from the tasks whose outputs pass the test ``kind``, or from all tasks if none do.
        """
        pool = [item for item in self._observed if kind(item.outputs)] or list(self._observed)
        chain = _common(item.calls for item in pool)
        words = [name for name in self.fields if all(_is_word(item.outputs[name]) for item in pool)]
        groups: dict[tuple[Any, ...], list[Observed]] = {}
        for item in pool:
            groups.setdefault(tuple(item.outputs[name] for name in words), []).append(item)
        guesses = [self._guess(group, words) for group in groups.values()]
        recipes, sure, count = max(guesses, key=lambda guess: guess[2])
        return Plan(recipes, sure, count / len(self._observed), chain)

    def _guess(self, pool: list[Observed], words: Sequence[str]) -> tuple[dict[str, Recipe], frozenset[str], int]:
        """Return recipes for tasks with the same `words`, the sure outputs, and the number of tasks that all recipes
        fit."""
        recipes = {name: Recipe(None, pool[0].outputs[name]) for name in words}
        sure = set(words)
        left = [name for name in self.fields if name not in recipes]
        whole = True
        while left:
            found = ((field, *self._most_frequent(pool, field)) for field in left)
            name, recipe, count = max(found, key=lambda entry: entry[2])
            left.remove(name)
            if count < min(2, len(pool)):
                whole = False  # the output differs in every task
                continue
            recipes[name] = recipe
            if count > _SURE * len(pool):
                sure.add(name)
            pool = [item for item in pool if item.outputs[name] == recipe.apply(item.view)]
        return recipes, frozenset(sure), len(pool) if whole else 0

    def like(self, words: Iterable[str]) -> Callable[[Mapping[str, Any]], bool]:
        """Return a test for outputs of a certain type.

        They must contain the most frequent value that includes one of the words.
        """
        wanted = set(words)
        counts = Counter(
            (name, value)
            for item in self._observed
            for name, value in item.outputs.items()
            if isinstance(value, str) and wanted & set(value.split("_"))
        )
        if not counts:
            return lambda outputs: True
        name, value = counts.most_common(1)[0][0]
        return lambda outputs: bool(outputs[name] == value)

    def _most_frequent(self, pool: Sequence[Observed], name: str) -> tuple[Recipe, int]:
        counts: Counter[Recipe] = Counter()
        for item in pool:
            counts.update(dict.fromkeys(_recipes(item.outputs[name], item.view), 1))
        return counts.most_common(1)[0]


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and not is_date(value)


def _recipes(value: Any, view: Mapping[str, Any]) -> Iterable[Recipe]:
    if not isinstance(value, list | dict):
        yield Recipe(None, value)
    day = isinstance(value, str) and is_date(value)
    for field, seen in view.items():
        if seen == value and not isinstance(seen, bool) and isinstance(seen, int | float) and seen:
            yield Recipe(field)
        elif day and isinstance(seen, str) and is_date(seen):
            yield Recipe(field, days=(date.fromisoformat(value) - date.fromisoformat(seen)).days)


def _common(sequences: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the names that occur in every sequence, in the order of the first sequence."""
    found = list(sequences)
    return tuple(dict.fromkeys(name for name in found[0] if all(name in other for other in found[1:])))


@cache
def habits_of(scenario: str) -> Habits:
    """Return the statistics of a scenario's train split."""
    loaded = load_scenario(scenario)
    return Habits([_observe(loaded, task) for task in split_tasks(scenario, Split.TRAIN)])


def _observe(scenario: Scenario, task: Task) -> Observed:
    first = task.standard.calls[0]
    view = run_action(scenario.bank(task), scenario.tools, action_text(first))
    return Observed(view, task.standard.outputs, tuple(call.name for call in task.standard.calls))
