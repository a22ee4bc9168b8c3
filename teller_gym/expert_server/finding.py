"""Recognises a chat's task by its text: the request, the procedure's title, or the whole prompt of stage 1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from teller_gym.base.errors import OptionError
from teller_gym.expert_server.chat import BadRequestError, Chat
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.sop import fill
from teller_gym.procedure.task import Split, Task
from teller_gym.registration import OFFICES, SCENARIOS
from teller_gym.stage1.context import context
from teller_gym.stage1.frame import one_line
from teller_gym.stage1.task import SIZES, GraphTask, graph_task
from teller_gym.tasks.store import frozen_tasks, variant_tasks

_ID = re.compile(r"\b[A-Z]{2,4}-[0-9]{6}\b")
_SIGNATURES = re.compile(r"the signatures of ([0-9]+) tools\b")
_DAY = re.compile(r"^# SOP: Working the day's queue$", re.MULTILINE)
Kind = Literal["bank", "graph", "day", "office"]


@dataclass(frozen=True, slots=True)
class Found:
    """The task of a chat.

    Attributes:
        kind: kind of environment.
        scenario: name of the scenario.
        task: the frozen task or office task; None for a generated case under the scenario's default policy, and for a
            working day, whose expert needs only the chat.
        key: identifier of the task, so that its mistake is the same in every request.
    """

    kind: Kind
    scenario: str
    task: Any
    key: str


def find(chat: Chat, options: Mapping[str, Any]) -> Found:
    """Return the task of a chat.

    Raises:
        BadRequestError: no task is recognised.
    """
    if _SIGNATURES.search(chat.text):
        return _graph(chat)
    if _DAY.search(chat.text):
        return Found("day", "day", None, chat.user)
    if (office := _office(chat)) is not None:
        return office
    scenario = _scenario(chat.text)
    if scenario is None:
        raise BadRequestError(
            "no procedure of this package is in the chat: expected an env's messages with the SOP under its own title, "
            f"or a request of the office; it begins {chat.text[:80]!r}"
        )
    task = next((one for one in _candidates(scenario, chat.text) if _fits(scenario, one, chat.text)), None)
    # With faults the procedure has an additional passage, and the policy is assumed to be the usual one.
    is_usual = _has_usual_sop(scenario, chat.text) or bool(options.get("faults") and not options.get("policy_shift"))
    if task is None and not is_usual:
        raise BadRequestError(
            f"no frozen task of {scenario.name} has this request, and the procedure's text is not the usual one, so "
            "the policy is unknown: play frozen tasks, or generated ones without policy_shift"
        )
    return Found("bank", scenario.name, task, f"{scenario.name}/{task.id if task else chat.user}")


def _scenario(text: str) -> Scenario | None:
    return next((one for one in map(load_scenario, SCENARIOS) if f"# {one.title}" in text), None)


def _has_usual_sop(scenario: Scenario, text: str) -> bool:
    return any(scenario.sop(rendering) in text for rendering in ("abstract", "explicit"))


@cache
def _by_case(scenario: str) -> dict[str, list[Task]]:
    found: dict[str, list[Task]] = {}
    for task in (*frozen_tasks(scenario).values(), *variant_tasks(scenario).values()):
        for name in dict.fromkeys(_ID.findall(task.request)):
            found.setdefault(name, []).append(task)
    return found


def _candidates(scenario: Scenario, text: str) -> Iterator[Task]:
    """Yield the frozen tasks whose whole request is in the text."""
    known = _by_case(scenario.name)
    for name in dict.fromkeys(_ID.findall(text)):
        yield from (task for task in known.get(name, ()) if task.request in text)


def _fits(scenario: Scenario, task: Task, text: str) -> bool:
    """Return True if the task has the default policy or the text states the task's own.

    Requests may not be unique.
    """
    if not task.policy:
        return True
    policy = scenario.policy_of(task)
    return any(scenario.sop(rendering, policy) in text for rendering in ("abstract", "explicit"))


def _office(chat: Chat) -> Found | None:
    found = [one for one in _office_tasks() if one[1].request in chat.text]
    if not found:
        return None
    name, task = max(found, key=lambda one: len(one[1].request))
    return Found("office", name, task, task.id)


@cache
def _office_tasks() -> list[tuple[str, Any]]:
    from teller_gym.office_tasks.contract import load_office

    found = []
    for name, module in OFFICES.items():
        office = load_office(module)
        found += [
            (name, office.find(one)) for split in (Split.HELDOUT, Split.HELDOUT_WORLDS) for one in office.ids(split)
        ]
    return found


def _graph(chat: Chat) -> Found:
    task = _graph_task(chat.user if _SIGNATURES.search(chat.user) else chat.text)
    if task is None:
        raise BadRequestError(
            "this question of stage 1 is of no held-out or validation task with the schema shifted or not: those of "
            "train are drawn without end and cannot be recognised by their text"
        )
    return Found("graph", task.scenario, task, task.id)


@lru_cache(maxsize=4096)
def _graph_task(text: str) -> GraphTask | None:
    match = _SIGNATURES.search(text)
    assert match is not None  # it matched before
    for name in SCENARIOS:
        scenario = load_scenario(name)
        if one_line(fill(scenario.sop_document.purpose, scenario.policy)) in text:
            return _questions(name, int(match[1]) - len(scenario.tools)).get(text.strip())
    return None


@lru_cache(maxsize=16)
def _questions(scenario: str, distractors: int) -> dict[str, GraphTask]:
    """Return a scenario's tasks by their whole prompt.

    The result is cached, since each takes 20 ms.
    """
    found = {}
    for split in (Split.HELDOUT, Split.VALIDATION):
        for number in range(SIZES[split]):
            for shift in (True, False):
                try:
                    task = graph_task(scenario, split, number, distractors=distractors, schema_shift=shift)
                except OptionError:
                    continue  # the split does not allow this number of distractors
                found[context(task).strip()] = task
    return found
