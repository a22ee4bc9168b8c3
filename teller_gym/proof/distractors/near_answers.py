"""Checks that distractors do not return values that are misleadingly close to those that the procedure needs.

:func:`near_misses` uses these terms:

* A *needed value* is a number or date that a required call takes and that has to be computed, such as a payment, a
  ratio or a due date: it is not in the bank's records, the request or the SOP. Small numbers, words and booleans are
  ignored, because they may easily match by chance.
* A *recipe* fills a distractor's arguments in the same way for every task: each from a named place in earlier results,
  from a duration in the SOP, or with a constant.
* A recipe is *near* for a task if its answer contains a number within 1 % of the needed value, or a date within 3 days
  of it, but not the value itself to the same number of decimals. Its arguments must be known before the needed value
  is, and must not themselves be that near to it. A date in a list counts only if it is exact, because a weekly list
  contains a date near any other.

A distractor misleads about a needed value if one of its recipes is near in at least half of the tasks in which the
value is needed and the recipe gets an answer. There must be at least three such tasks, and an answer in a tenth of the
tasks that need the value. It does not mislead if one of its recipes gives the exact value at least as often: a
calculator that is right when it is used correctly is no trap. Cases reviewed and accepted are in ``judged.yaml`` with
the reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from teller_gym.agents.schemas import is_date
from teller_gym.base.errors import ToolError
from teller_gym.base.text import same_value
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.proof.distractors.recipes import Recipe, depends_on_seen, recipes
from teller_gym.proof.distractors.seen_values import Needed, SeenValues, is_near, numbers_and_dates, seen_values
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tools.tool import Tool
from teller_gym.variation.pool import distractors, example_arguments

NEAR_TASKS = 0.5
"""Minimum share of tasks in which a misleading recipe is near."""
FEWEST_TASKS = 3
FEWEST_ANSWERED = 0.1
"""Minimum share of tasks with a needed value in which a recipe must get an answer to count."""
_FIRST_LOOK = 4
"""Number of tasks per needed value for a first test of recipes; only near ones are tested on all tasks."""

_INDEX = re.compile(r"\[\d+\]")


class Hit(NamedTuple):
    """Place in an answer (without indices), the needed value close to it, and True if it is exact."""

    place: str
    needed: str
    exact: bool


class Finding(msgspec.Struct, frozen=True):
    """Numbers of tasks in which a recipe gave, or nearly gave, a needed value.

    Attributes:
        tool, place, needed: the distractor, the output, and ``call.argument`` of the needed value.
        near, exact, tasks: numbers of tasks in which the recipe was near, was exact, and got an answer.
        recipe: description of the source of each argument.
    """

    tool: str
    place: str
    needed: str
    near: int
    exact: int
    tasks: int
    recipe: dict[str, str]


class Case(NamedTuple):
    """Task with the values that its procedure sees and those that it needs."""

    task: Task
    seen: SeenValues


def near_misses(env_id: str, most_recipes: int, instances: int | None = None) -> ProofItem:
    """Check that no distractor misleads about a needed value, as defined in the module docstring."""
    under = subject(env_id)
    tasks = under.part(instances)
    cases = [Case(task, seen_values(under.scenario, task)) for task in tasks]
    judged = judgements()
    tools = [tool for tool in distractors() if depends_on_seen(tool)]
    found = [finding for tool in tools for finding in findings(under.scenario, tool, cases, most_recipes)]
    misleading = [one for one in found if (one.tool, one.place) not in judged]
    problems = [
        f"{one.tool}.{one.place} is near {one.needed} in {one.near} of {one.tasks} instances (equal in {one.exact}): "
        + ", ".join(f"{name} from {source}" for name, source in one.recipe.items())
        for one in misleading
    ]
    figure = (
        f"{len(tools)} distractors of numbers or dates, up to {most_recipes} fillings each, {len(tasks)} instances; "
        f"{len(found)} near misses, {len(found) - len(misleading)} of them judged honest"
    )
    claim = "no distractor nearly gives what a required call should give"
    measured = {"tools": len(tools), "recipes": most_recipes, "instances": len(tasks), "findings": found}
    return item("near_misses", claim, figure, problems, measured)


def judgements() -> dict[tuple[str, str], str]:
    """Return the reasons for accepting near misses in ``judged.yaml``, by tool and output."""
    text = resources.files("teller_gym.proof.distractors").joinpath("judged.yaml").read_bytes()
    written = msgspec.yaml.decode(text, type=dict[str, dict[str, str]])
    return {(tool, place): reason for tool, places in written.items() for place, reason in places.items()}


def findings(scenario: Scenario, tool: Tool, cases: Sequence[Case], most_recipes: int) -> list[Finding]:
    """Return the worst recipe for each needed value about which a tool misleads, including accepted ones."""
    first = _first_look(cases)
    tried = recipes(tool, [case.seen.sources for case in first], most_recipes, _example_texts(tool))
    promising = [
        recipe
        for recipe in tried
        if any(one.near + one.exact >= NEAR_TASKS * one.tasks for one in _counted(scenario, tool, recipe, first))
    ]
    needing = Counter(name for case in cases for name in case.seen.needed)
    worst: dict[tuple[str, str], Finding] = {}
    best: Counter[str] = Counter()
    for recipe in promising:
        for one in _counted(scenario, tool, recipe, cases):
            best[one.needed] = max(best[one.needed], one.exact)
            often = one.near >= max(FEWEST_TASKS, NEAR_TASKS * one.tasks)
            if often and one.tasks >= FEWEST_ANSWERED * needing[one.needed]:
                key = one.place, one.needed
                worst[key] = max(worst.get(key, one), one, key=lambda finding: finding.near)
    return [one for one in worst.values() if one.near > best[one.needed]]


def _example_texts(tool: Tool) -> dict[str, list[Any]]:
    """Return the texts and lists of texts in a tool's example arguments, by argument."""
    found: dict[str, list[Any]] = {}
    for arguments in example_arguments().get(tool.name, ()):
        for name, value in arguments.items():
            texts = value if isinstance(value, list) else [value]
            if all(isinstance(text, str) and not is_date(text) for text in texts) and value not in found.get(name, []):
                found.setdefault(name, []).append(value)
    return found


def _first_look(cases: Sequence[Case]) -> list[Case]:
    """Return the first few cases for each needed value."""
    counts: Counter[str] = Counter()
    chosen = []
    for case in cases:
        if any(counts[name] < _FIRST_LOOK for name in case.seen.needed):
            counts.update(list(case.seen.needed))
            chosen.append(case)
    return chosen


def _counted(scenario: Scenario, tool: Tool, recipe: Recipe, cases: Iterable[Case]) -> Iterator[Finding]:
    """Yield a finding for each place in the answer at which a recipe gives, or nearly gives, a needed value."""
    near: Counter[tuple[str, str]] = Counter()
    exact: Counter[tuple[str, str]] = Counter()
    answered: Counter[str] = Counter()
    for case in cases:
        hits = _hits(scenario, tool, recipe, case)
        if hits is None:
            continue
        answered.update(list(case.seen.needed))
        for hit in set(hits):
            # If a list contains the exact value, its other entries do not count as near misses.
            if hit.exact or hit._replace(exact=True) not in hits:
                (exact if hit.exact else near)[hit.place, hit.needed] += 1
    words = {name: str(slot) for name, slot in recipe.items()}
    for place, needed in sorted({*near, *exact}):
        counts = near[place, needed], exact[place, needed], answered[needed]
        yield Finding(tool.name, place, needed, *counts, words)


def _hits(scenario: Scenario, tool: Tool, recipe: Recipe, case: Case) -> list[Hit] | None:
    """Return the hits of a recipe's answer on needed values, or None if there is no answer."""
    sources = case.seen.sources
    try:
        arguments = {name: slot.fill(sources) for name, slot in recipe.items()}
        answer = tool.call(scenario.bank(case.task), tool.decode(msgspec.json.encode(arguments)))
    except (KeyError, ToolError, msgspec.MsgspecError):
        return None
    known_at = max((sources[name].time for slot in recipe.values() for name in slot.sources), default=-1)
    asked = [value for _, value in numbers_and_dates(arguments)]
    answered = list(numbers_and_dates(msgspec.to_builtins(answer)))
    wanted = _open(case.seen.needed, known_at, asked)
    return list(_compared(answered, wanted))


def _compared(answered: Iterable[tuple[str, float | str]], wanted: Sequence[tuple[str, Needed]]) -> Iterator[Hit]:
    """Yield a hit for each value in an answer that is near or equal to a wanted value."""
    for place, value in answered:
        for name, needed in wanted:
            if is_near(value, needed.value):
                exact = _same(value, needed.value)
                if exact or not (isinstance(value, str) and place.endswith("]")):
                    yield Hit(_INDEX.sub("[]", place), name, exact)


def _open(needed: Mapping[str, Needed], known_at: int, asked: Sequence[float | str]) -> list[tuple[str, Needed]]:
    """Return the needed values that were unknown at ``known_at`` and are not near any of the arguments."""
    return [
        (name, one)
        for name, one in needed.items()
        if one.time > known_at and not any(is_near(value, one.value) for value in asked)
    ]


def _same(value: float | str, wanted: float | str) -> bool:
    """Return True if a value, rounded to the same number of decimals, equals the wanted value."""
    if isinstance(value, str) or isinstance(wanted, str):
        return value == wanted
    decimals = max(2, len(repr(float(wanted)).partition(".")[2]))
    return same_value(round(float(value), decimals), wanted)
