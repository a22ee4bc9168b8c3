"""Interface of a task kind: its facts, documents, reference answer, expert and checks."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from teller_gym.base.draw import Draw
from teller_gym.office.store import Change, Store
from teller_gym.office_tasks.verdict import Failure, Finding
from teller_gym.procedure.lapses import Lapse, as_expert, lapses_of
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.rules import Rules, rules_of
from teller_gym.scenarios.wealth.world import Client, World


@dataclass(frozen=True)
class Case:
    """A task in an office.

    Attributes:
        world: the firm.
        client: the client that the task is about.
        facts: the drawn facts, of a type that the task kind defines.
        answer: the solver's answer.
        work: the task kind.
    """

    world: World
    client: Client
    facts: Any
    answer: Any
    work: Work

    @property
    def rules(self) -> Rules:
        """Numbers from the task kind's handbook chapter."""
        return self.work.rules


@dataclass(frozen=True)
class Look:
    """An office and the task that is graded in it.

    Attributes:
        store: the office in its current state.
        case: the task.
        loose: True if amounts may be off by one percent, as in the paper, instead of one cent.
        team: user names of the agent's teammates.
    """

    store: Store
    case: Case
    loose: bool = False
    team: tuple[str, ...] = ()

    @property
    def users(self) -> tuple[str, ...]:
        """User names of the agent and its teammates."""
        return (self.user, *self.team)

    @property
    def user(self) -> str:
        return self.case.world.user.username


@dataclass(frozen=True)
class Work:
    """A task kind.

    Attributes:
        name: name of its folder in `teller_gym.scenarios.wealth.tasks`, and part of its task ids.
        title: name in the paper.
        level: 1 retrieval, 2 analysis, 3 synthesis and communication.
        checkpoints: checkpoint names, in the order of the findings from `check`.
        deliverables: names of the files that the agent must write to the client's folder.
        draw: function that draws the facts.
        place: function that places the documents and records.
        solve: function that computes the answer from the facts and the rules, independently of the expert.
        expert: function from the request and the rules to the steps of an expert that uses the agent's tools.
        check: function that grades an office by its state only, with one finding per checkpoint.
        lapses: experts that each make one wrong judgement, by name.
        words: function that returns values for the prompts in addition to the common ones (see `prompts`).
        is_asked: function that returns True if a change outside the file store is part of the task.
        told_to: function that returns the user name of the person who receives the result, or None.
        secrets: function that returns the amounts in cents that may only be sent to `told_to` in the chat.
    """

    name: str
    title: str
    level: int
    checkpoints: tuple[str, ...]
    deliverables: tuple[str, ...]
    draw: Callable[[World, Client, Draw, Rules], Any]
    place: Callable[[Plan, Case], None]
    solve: Callable[[Any, Rules], Any]
    expert: Callable[[str, Any], Any]
    check: Callable[[Look], list[Finding]]
    lapses: Mapping[str, Lapse]
    words: Callable[[Case], Mapping[str, Any]] = lambda case: {}
    is_asked: Callable[[Case, Change], bool] = lambda case, change: False
    told_to: Callable[[Case], str | None] = lambda case: None
    secrets: Callable[[Case], frozenset[int]] = lambda case: frozenset()

    @property
    def package(self) -> str:
        """Import path of the task kind's folder."""
        return f"teller_gym.scenarios.wealth.tasks.{self.name}"

    @cached_property
    def rules(self) -> Rules:
        """Numbers from the task kind's handbook chapter."""
        return rules_of(self.package)


__all__ = ["Case", "Failure", "Finding", "Look", "Work", "failed", "judged", "passed", "work_of"]


def work_of(
    package: str, title: str, level: int, deliverables: tuple[str, ...] = (), drawing: str = "facts", **more: Any
) -> Work:
    """Assemble a task kind from the modules of its folder.

    Args:
        package: import path of the folder.
        title: name in the paper.
        level: 1 retrieval, 2 analysis, 3 synthesis and communication.
        deliverables: names of the files that the agent must write to the client's folder.
        drawing: name of the module that defines ``draw_facts``.
        more: further attributes of `Work`.
    """
    facts, placing, solving, expert, checking, lapses = (
        importlib.import_module(f"{package}.{part}")
        for part in (drawing, "placing", "solving", "expert", "checking", "lapses")
    )
    return Work(
        name=package.rpartition(".")[2],
        title=title,
        level=level,
        checkpoints=checking.CHECKPOINTS,
        deliverables=deliverables,
        draw=facts.draw_facts,
        place=placing.place,
        solve=solving.solve,
        expert=as_expert(expert.Expert),
        check=checking.check,
        lapses=lapses_of(lapses),
        **more,
    )


def passed(checkpoint: str, evidence: str) -> Finding:
    """Return a finding for a passed checkpoint."""
    return Finding(checkpoint, True, evidence)


def failed(checkpoint: str, failure: Failure, evidence: str) -> Finding:
    """Return a finding for a failed checkpoint."""
    return Finding(checkpoint, False, evidence, failure)


def judged(checkpoint: str, is_right: bool, right: str, wrong: str, failure: Failure = Failure.LOGIC) -> Finding:
    """Return a passed finding with the evidence ``right``, or a failed one with ``wrong``."""
    return passed(checkpoint, right) if is_right else failed(checkpoint, failure, wrong)
