"""The contract of a kind of work: the facts it draws, what it places, its answer, its expert, and its judge."""

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
    """One piece of work in one office.

    Attributes:
        facts: the drawn facts, a struct of the kind of work.
        answer: the solver's answer.
    """

    world: World
    client: Client
    facts: Any
    answer: Any
    work: Work

    @property
    def rules(self) -> Rules:
        """The numbers of the work's chapter."""
        return self.work.rules


@dataclass(frozen=True)
class Look:
    """The office and the work that a judge looks at.

    Attributes:
        store: the office in its present state.
        case: the work.
        loose: whether amounts may be off by the paper's one percent, instead of one cent.
        team: user names of those who work with the agent.
    """

    store: Store
    case: Case
    loose: bool = False
    team: tuple[str, ...] = ()

    @property
    def users(self) -> tuple[str, ...]:
        """User names of all who work on it."""
        return (self.user, *self.team)

    @property
    def user(self) -> str:
        """User name of the agent."""
        return self.case.world.user.username


@dataclass(frozen=True)
class Work:
    """A kind of work.

    Attributes:
        name: name of its folder in `teller_gym.scenarios.wealth.tasks`, and part of the ids of its tasks.
        title: the paper's name for it.
        level: 1 retrieval, 2 analysis, 3 synthesis and communication.
        checkpoints: their names, in order; `check` finds on each of them.
        deliverables: names of the files it delivers to the client's folder.
        draw: draws the facts.
        place: places the documents and records of the work.
        solve: works out the answer from the facts and the rules, independently of the expert.
        expert: does the work through the agent's tools; takes the request and the rules.
        check: judges an office by its state only, one finding a checkpoint.
        lapses: experts with one judgement left out.
        words: values for the prompts besides those that all have (see `prompts`).
        is_asked: decides if a change in a service, other than of files, is part of the work.
        told_to: user name of the person who receives the result, if anybody.
        secrets: amounts in cents that nobody but `told_to` may be sent in the chat.
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
        """Package of its folder."""
        return f"teller_gym.scenarios.wealth.tasks.{self.name}"

    @cached_property
    def rules(self) -> Rules:
        """The numbers of its chapter of the handbook."""
        return rules_of(self.package)


__all__ = ["Case", "Failure", "Finding", "Look", "Work", "failed", "judged", "passed", "work_of"]


def work_of(
    package: str, title: str, level: int, deliverables: tuple[str, ...] = (), drawing: str = "facts", **more: Any
) -> Work:
    """Return the kind of work of a folder, put together from its modules.

    Args:
        drawing: the module with ``draw_facts``.
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
    """Return a finding on a checkpoint that is passed."""
    return Finding(checkpoint, True, evidence)


def failed(checkpoint: str, failure: Failure, evidence: str) -> Finding:
    """Return a finding on a checkpoint that is not passed."""
    return Finding(checkpoint, False, evidence, failure)


def judged(checkpoint: str, is_right: bool, right: str, wrong: str, failure: Failure = Failure.LOGIC) -> Finding:
    """Return a passed or a failed finding, with the evidence for either case."""
    return passed(checkpoint, right) if is_right else failed(checkpoint, failure, wrong)
