"""A scenario: everything about one kind of work, read from its folder and checked against itself."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Generator, Iterable, Mapping
from datetime import date
from functools import cache, cached_property
from importlib import resources
from typing import Any

import msgspec

from teller_gym.bank import Bank, Record
from teller_gym.errors import OptionError, ScenarioError
from teller_gym.execution import action_text, run_action
from teller_gym.graph import Graph, load_graph
from teller_gym.sop import Sop, load_sop
from teller_gym.task import Call, Split, StandardResult, Task
from teller_gym.template import Template, load_template
from teller_gym.text import fingerprint
from teller_gym.tools import Category, Tool, ToolSet

SCENARIOS = {"loans": "teller_gym.scenarios.loans"}
"""Modules of the scenarios by name; each has a function ``load() -> Scenario``."""

_ID = re.compile(r"\b[A-Z]{2,4}-[0-9]{6}\b")
"""Ids as the bank writes them, such as ``AC-123456``."""

_FAR_AWAY = 2**40
"""Step to the next seed when a generated task equals an excluded one: no other seed in use leads there."""

Expert = Callable[[str, Any], Generator[Call, dict[str, Any], None]]
"""Takes the request and the policy that the SOP shows; yields calls and receives their results."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What a generator makes: a case and the small bank around it, without its standard result."""

    today: date
    request: str
    case_id: str
    owners: tuple[str, ...]
    tables: dict[str, dict[str, Record]]
    tags: tuple[str, ...]


class Solution(msgspec.Struct, frozen=True):
    """What the closed-form solver says: output fields, outcome of each decision point, ids of the rules it applied."""

    outputs: dict[str, Any]
    branches: dict[str, str]
    rules: tuple[str, ...]


class Scenario:
    """One kind of work.

    Args:
        name: such as ``loans``.
        package: the module whose folder holds ``sop.yaml``, ``graph.yaml``, ``template.yaml`` and ``policy.yaml``.
        policy_type: ``msgspec`` struct that ``policy.yaml`` is read into.
        tools: core and auxiliary tools.
        submit: name of the tool that ends an episode.
        expert, solver, draft: see :data:`Expert`, :class:`Solution`, :class:`Draft`; ``draft`` takes seed and policy.
        realism: yields a complaint for each way in which a task is not realistic.

    Raises:
        ScenarioError: the documents contradict each other or the tools.
    """

    def __init__(
        self,
        name: str,
        package: str,
        *,
        policy_type: type[Any],
        tools: Iterable[Tool],
        submit: str,
        expert: Expert,
        solver: Callable[[Task, Any], Solution],
        draft: Callable[[int, Any], Draft],
        realism: Callable[[Task, Any], Iterable[str]],
    ) -> None:
        self.name = name
        self._package = package
        self.policy = msgspec.yaml.decode(self.document("policy.yaml"), type=policy_type)
        self.graph: Graph = load_graph(self.document("graph.yaml"))
        self.sop_document: Sop = load_sop(self.document("sop.yaml"))
        self.template: Template = load_template(self.document("template.yaml"))
        self.tools = ToolSet(tools)
        self.submit = submit
        self.expert = expert
        self.realism = realism
        self._solver = solver
        self._draft = draft
        self._sops: dict[str, str] = {}
        self.check()

    def document(self, name: str) -> bytes:
        """Return a file of the scenario's folder."""
        return resources.files(self._package).joinpath(name).read_bytes()

    def check(self) -> None:
        """Check graph, SOP and template against the tools; raises :class:`ScenarioError`."""
        self.graph.check(self.tools)
        self.sop_document.check(self.graph.nodes, self.tools)
        self.template.check()
        if self.submit not in self.tools:
            raise ScenarioError(f"{self.name}: there is no tool {self.submit!r} to submit with")
        core = {tool.name for tool in self.tools.of(Category.CORE)}
        if core != set(self.graph.nodes):
            raise ScenarioError(
                f"{self.name}: core tools and graph nodes differ: {sorted(core ^ set(self.graph.nodes))}"
            )

    @property
    def output_fields(self) -> tuple[str, ...]:
        """Names of the fields of the final review."""
        return tuple(field.name for field in self.template.outputs)

    @cached_property
    def writable(self) -> Mapping[str, frozenset[str]]:
        """Fields that tools may change in existing records of the case, by table."""
        return {self.template.table: frozenset(field.name for field in self.template.obtained)}

    @cached_property
    def title(self) -> str:
        """The SOP's title."""
        return self.sop_document.title

    def policy_of(self, task: Task) -> Any:
        """Return the policy of a task: the default with the task's own values."""
        return msgspec.structs.replace(self.policy, **task.policy) if task.policy else self.policy

    def sop(self, rendering: str = "abstract", policy: Any = None) -> str:
        """Return the SOP as Markdown in one of its renderings (``explicit`` or ``abstract``)."""
        if policy is not None and policy is not self.policy:
            return self.sop_document.render(rendering, policy)
        if rendering not in self._sops:
            self._sops[rendering] = self.sop_document.render(rendering, self.policy)
        return self._sops[rendering]

    def bank(self, task: Task | Draft, policy: Any = None) -> Bank:
        """Return the bank at the start of a task."""
        if policy is None:
            policy = self.policy_of(task) if isinstance(task, Task) else self.policy
        return Bank(task.tables, task.today, policy, task.case_id)

    def solve(self, task: Task) -> Solution:
        """Work out the output fields directly from record and policy, without the tools."""
        return self._solver(task, self.policy_of(task))

    def run_expert(self, draft: Draft | Task, policy: Any = None) -> StandardResult:
        """Run the expert on a fresh bank through the executor that the env uses."""
        policy = policy if policy is not None else self.policy
        bank = self.bank(draft, policy)
        steps = self.expert(draft.request, policy)
        calls: list[Call] = []
        call = next(steps)
        while True:
            text = action_text(call)
            calls.append(msgspec.json.decode(text, type=Call))
            result = run_action(bank, self.tools, text)
            try:
                call = steps.send(result)
            except StopIteration:
                break
        last = calls[-1]
        outputs = {name: last.arguments[name] for name in self.output_fields}
        return StandardResult(tuple(calls), outputs)

    def case_fingerprint(self, draft: Draft | Task) -> str:
        """Fingerprint of the case's existing fields, ids and the business date left out."""
        record = draft.tables[self.template.table][draft.case_id]
        return fingerprint(
            _without_ids({f.name: record.get(f.name) for f in self.template.existing if f.group is None})
        )

    def complete(self, draft: Draft, *, task_id: str, seed: int, split: Split) -> Task:
        """Make a task of a draft: the expert's standard result and the solver's branches."""
        task = Task(
            id=task_id,
            scenario=self.name,
            seed=seed,
            split=split,
            today=draft.today,
            request=draft.request,
            case_id=draft.case_id,
            owners=draft.owners,
            tables=draft.tables,
            standard=self.run_expert(draft),
            branches={},
            tags=draft.tags,
            fingerprint=self.case_fingerprint(draft),
        )
        return msgspec.structs.replace(task, branches=self.solve(task).branches)

    def draft(self, seed: int) -> Draft:
        """Return the generator's draft for a seed: equal seeds give equal bytes."""
        return self._draft(seed, self.policy)

    def generate(self, seed: int, exclude: frozenset[str] = frozenset()) -> Task:
        """Return a fresh task for a seed; one whose fingerprint is excluded is drawn again, from a seed far away."""
        used = seed
        while self.case_fingerprint(draft := self.draft(used)) in exclude:
            used += _FAR_AWAY
        return self.complete(draft, task_id=f"{self.name}-g-{seed}", seed=used, split=Split.GENERATED)


def _without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_ids(item) for key, item in value.items() if not key.endswith("_id")}
    if isinstance(value, list | tuple):
        return [_without_ids(item) for item in value]
    return _ID.sub("id", value) if isinstance(value, str) else value


@cache
def load_scenario(name: str) -> Scenario:
    """Return a scenario by name; it is loaded once and shared.

    Raises:
        OptionError: there is no such scenario.
    """
    if name not in SCENARIOS:
        raise OptionError(f"scenario: expected one of {', '.join(sorted(SCENARIOS))}, got {name!r}")
    scenario: Scenario = importlib.import_module(SCENARIOS[name]).load()
    return scenario
