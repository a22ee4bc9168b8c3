"""Scenarios, which contain everything about one type of work, read from a folder and checked for consistency."""

from __future__ import annotations

import contextlib
import importlib
import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import cache, cached_property, lru_cache
from typing import Any

import msgspec

from teller_gym.base.errors import IdClashError, OptionError, ScenarioError, ToolError
from teller_gym.base.patterns import refuse_unbounded
from teller_gym.base.text import fingerprint, shown
from teller_gym.procedure.documents import Documents
from teller_gym.procedure.from_template.case_tools import filing_node, filing_tool, reading_node, reading_tool
from teller_gym.procedure.from_template.drawn_case import complaints, draw_case
from teller_gym.procedure.graph import Graph, completed, load_graph
from teller_gym.procedure.lapses import Expert
from teller_gym.procedure.policy_rules import draw_policy
from teller_gym.procedure.sop import RENDERINGS, Course, Sop, load_sop
from teller_gym.procedure.task import Split, StandardResult, Task
from teller_gym.procedure.template import Template, load_template
from teller_gym.registration import SCENARIOS, ScenarioEntry, register_cards, scenario_cards
from teller_gym.tools.bank import Bank, IssuingBank, Record
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import Category, Tool, ToolSet

_ID = re.compile(r"\b[A-Z]{2,4}-[0-9]{6}\b")
"""Regular expression for record ids, such as ``AC-123456``."""

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

FAR_AWAY = 2**40
"""Number added to a seed whose task cannot be used, for example because it is held out.

It is larger than all seeds in use.
"""

_encode = msgspec.json.Encoder().encode


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """Generated case with the small bank around it, without the standard result."""

    today: date
    request: str
    case_id: str
    owners: tuple[str, ...] = ()
    """Ids that belong to the case; if empty, only the case's id belongs to it."""
    tables: dict[str, dict[str, Record]]
    tags: tuple[str, ...] = ()


class Solution(msgspec.Struct, frozen=True):
    """Answer of a closed-form solver.

    It has the output fields, the outcome of each decision point, and the ids of the applied rules.
    """

    outputs: dict[str, Any]
    branches: dict[str, str]
    rules: tuple[str, ...] = ()


class Scenario(Documents):
    """One type of work.

    Args:
        name: such as ``loans``.
        package: module whose folder contains ``sop.yaml``, ``graph.yaml``, ``template.yaml``, ``policy.yaml``, and
            optionally ``policy_shift.yaml`` (see :mod:`teller_gym.procedure.policy_rules`) and
            ``withheld_branches.yaml`` (combinations of outcomes that occur only in the split ``heldout_branch``).
        tools: core and auxiliary tools.
        submit: name of the tool that ends an episode.
        expert, solver, draft: see :data:`Expert`, :class:`Solution`, :class:`Draft`; ``draft`` takes seed and policy.
            Without a ``draft``, cases are generated from ``template.yaml``.
        read: name of the tool that reads the case. If given, this tool is generated from ``template.yaml`` (see
            :mod:`teller_gym.procedure.from_template`), and so is the submitting tool unless ``tools`` has it.
        policy_type: ``msgspec`` struct for ``policy.yaml``; if None, it is derived from the file.
        realism: yields a problem for each way in which a task is unrealistic; if None, checks that the template can
            generate the case.

    Raises:
        ScenarioError: the documents contradict each other or the tools.
    """

    def __init__(
        self,
        name: str,
        package: str,
        *,
        tools: Iterable[Tool],
        submit: str,
        expert: Expert,
        solver: Callable[[Task, Any], Solution],
        draft: Callable[[int, Any], Draft] | None = None,
        read: str | None = None,
        policy_type: type[Any] | None = None,
        realism: Callable[[Task, Any], Iterable[str]] | None = None,
    ) -> None:
        super().__init__(name, package)
        policy = self.document("policy.yaml")
        if policy_type is not None:
            refuse_unbounded(msgspec.json.schema(policy_type), "policy.yaml")
        self.policy = msgspec.yaml.decode(policy, type=policy_type or _type_of(policy))
        self.sop_document: Sop = load_sop(self.document("sop.yaml"))
        self.template: Template = load_template(self.document("template.yaml"))
        own = tuple(tools)
        files = bool(read) and submit not in {tool.name for tool in own}
        reader = (reading_tool(self.template, read),) if read else ()
        filer = (filing_tool(self.template, submit),) if files else ()
        self.tools = ToolSet((*reader, *own, *filer))
        self.graph: Graph = completed(
            load_graph(self.document("graph.yaml")),
            self.tools,
            {read: reading_node(self.template)} if read else {},
            {submit: filing_node(self.template, read)} if read and files else {},
        )
        self.submit = submit
        self.expert = expert
        self.realism = realism or self._complaints
        self._solver = solver
        self._draft = draft or self._drawn
        self._sops: dict[str, str] = {}
        self._shifted_policy = lru_cache(maxsize=256)(self._read_policy)
        self._shifted_sop = lru_cache(maxsize=256)(self._render_shifted)
        self.check()

    def __copy__(self) -> Scenario:
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> Scenario:
        return self  # scenarios are immutable

    def __reduce__(self) -> tuple[Any, ...]:
        # Tools, expert and solver are functions, which cannot be pickled, so unpickling loads the scenario again.
        return loaded_again, (self.name, self.package)

    def _drawn(self, seed: int, policy: Any) -> Draft:
        return Draft(**draw_case(self.template, seed)._asdict())

    def _complaints(self, task: Task, policy: Any) -> Iterable[str]:
        return complaints(self.template, task)

    def check(self) -> None:
        """Check graph, SOP and template against the tools and the policy.

        Raises:
            ScenarioError: they contradict each other.
        """
        self.graph.check(self.tools)
        self.sop_document.check(self.graph.nodes, self.tools)
        for rendering in RENDERINGS:  # fails if a placeholder has no value
            self.sop(rendering)
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
        """Names of the fields in the final review."""
        return tuple(field.name for field in self.template.outputs)

    @cached_property
    def course(self) -> Course:
        """Order of the procedure according to the SOP."""
        return self.sop_document.course()

    @cached_property
    def unread(self) -> frozenset[str]:
        """Names of text fields that no rule reads."""
        return frozenset(field.name for field in self.template.existing if field.unread)

    @cached_property
    def title(self) -> str:
        """Title of the SOP."""
        return self.sop_document.title

    def draw_policy(self, key: str) -> dict[str, Any]:
        """Redraw the policy.

        Returns:
            The changed values, for a task's ``policy``; equal keys give equal values.

        Raises:
            ScenarioError: the scenario has no ``policy_shift.yaml``.
        """
        if not self.policy_rules:
            raise ScenarioError(f"{self.name}: policy_shift.yaml is missing, so there is no policy to draw")
        return draw_policy(self.policy, self.policy_rules, f"{self.name}/{key}")

    def policy_of(self, task: Task) -> Any:
        """Return the default policy updated with the task's own values."""
        return self._shifted_policy(_encode(task.policy)) if task.policy else self.policy

    def sop_of(self, task: Task, rendering: str) -> str:
        """Render the SOP with a task's policy."""
        return self._shifted_sop(rendering, _encode(task.policy)) if task.policy else self.sop(rendering)

    def sop(self, rendering: str = "abstract", policy: Any = None) -> str:
        """Render the SOP as Markdown.

        The rendering is ``explicit`` or ``abstract``; the default policy is used if ``policy`` is None.
        """
        if policy is not None and policy is not self.policy:
            return self.sop_document.render(rendering, policy)
        if rendering not in self._sops:
            self._sops[rendering] = self.sop_document.render(rendering, self.policy)
        return self._sops[rendering]

    def _read_policy(self, values: bytes) -> Any:
        default: dict[str, Any] = msgspec.json.decode(_encode(self.policy))
        return msgspec.json.decode(_encode({**default, **msgspec.json.decode(values)}), type=type(self.policy))

    def _render_shifted(self, rendering: str, values: bytes) -> str:
        return self.sop_document.render(rendering, self._shifted_policy(values))

    def bank(self, task: Task | Draft, policy: Any = None) -> Bank:
        """Create the bank in its state at the start of a task. ``policy`` overrides the task's own policy."""
        if policy is None:
            policy = self.policy_of(task) if isinstance(task, Task) else self.policy
        return Bank(task.tables, task.today, policy, task.case_id, self.template.table)

    def solve(self, task: Task, policy: Any = None) -> Solution:
        """Compute the output fields directly from the record and the policy, without tools.

        ``policy`` replaces the task's own policy, to measure the effect of a change.
        """
        return self._solver(task, self.policy_of(task) if policy is None else policy)

    def run_expert(self, draft: Draft | Task, policy: Any = None) -> StandardResult:
        """Run the expert on a fresh bank, executing calls as in an env.

        Raises:
            IdClashError: two records created by the expert have the same id.
            ScenarioError: a tool rejected a call.
        """
        policy = policy if policy is not None else self.policy
        bank = IssuingBank(draft.tables, draft.today, policy, draft.case_id, self.template.table)
        steps = self.expert(draft.request, policy)
        calls: list[Call] = []
        call = next(steps)
        while True:
            text = action_text(call)
            calls.append(msgspec.json.decode(text, type=Call))
            try:
                result = run_action(bank, self.tools, text)
            except ToolError as error:
                _expect_no_clash(bank, self.name)
                raise ScenarioError(
                    f"{self.name}: {call.name} refused the expert's call in {draft.case_id}: {error.message}"
                ) from error
            try:
                call = steps.send(result)
            except StopIteration:
                break
        _expect_no_clash(bank, self.name)
        last = calls[-1]
        outputs = {name: last.arguments[name] for name in self.output_fields}
        return StandardResult(tuple(calls), outputs)

    def case_fingerprint(self, draft: Draft | Task) -> str:
        """Return the fingerprint of the case's existing fields, without ids and the business date."""
        record = draft.tables[self.template.table][draft.case_id]
        return fingerprint(
            _without_ids({f.name: record.get(f.name) for f in self.template.existing if f.group is None})
        )

    def complete(
        self, draft: Draft, *, task_id: str, seed: int, split: Split, policy: dict[str, Any] | None = None
    ) -> Task:
        """Create a task from a draft, with the expert's standard result and the solver's branches.

        ``policy`` contains the values that differ from the default policy.
        """
        return self._with_standard(self._bare(draft, task_id, seed, split, policy or {}))

    def _bare(self, draft: Draft, task_id: str, seed: int, split: Split, policy: dict[str, Any]) -> Task:
        """Create a task with its branches but without the expert's result, which is expensive."""
        task = Task(
            id=task_id,
            scenario=self.name,
            seed=seed,
            split=split,
            today=draft.today,
            request=draft.request,
            case_id=draft.case_id,
            owners=draft.owners or (draft.case_id,),
            tables=draft.tables,
            standard=StandardResult((), {}),
            branches={},
            tags=draft.tags,
            fingerprint=self.case_fingerprint(draft),
            policy=policy,
        )
        return msgspec.structs.replace(task, branches=self.solve(task).branches)

    def _with_standard(self, task: Task) -> Task:
        return msgspec.structs.replace(task, standard=self.run_expert(task, self.policy_of(task)))

    def draft(self, seed: int, policy: Any = None) -> Draft:
        """Generate the draft for a seed.

        The default policy is used if ``policy`` is None. Equal seeds give equal bytes.
        """
        return self._draft(seed, self.policy if policy is None else policy)

    def generate(
        self,
        seed: int,
        exclude: frozenset[str] = frozenset(),
        *,
        task_id: str = "",
        split: Split = Split.GENERATED,
        policy: dict[str, Any] | None = None,
    ) -> Task:
        """Generate a task.

        If the task's fingerprint is in ``exclude``, its branches are withheld, or two records would have the same id,
        it is drawn again with another seed. The id is ``<scenario>-g-<seed>`` unless given; ``policy`` contains values
        that differ from the default policy, see :meth:`draw_policy`.
        """
        values = policy or {}
        chosen = self._shifted_policy(_encode(values)) if values else self.policy
        used = seed
        while True:
            draft = self.draft(used, chosen)
            task = self._bare(draft, task_id or f"{self.name}-g-{seed}", used, split, values)
            if task.fingerprint not in exclude and not self.is_withheld(task.branches):
                with contextlib.suppress(IdClashError):
                    return self._with_standard(task)
            used += FAR_AWAY


def _expect_no_clash(bank: IssuingBank, scenario: str) -> None:
    if bank.clash is not None:
        raise IdClashError(f"{scenario}: two records of the expert in {bank.case_id} have the id {bank.clash}")


def _without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_ids(item) for key, item in value.items() if not key.endswith("_id")}
    if isinstance(value, list | tuple):
        return [_without_ids(item) for item in value]
    return _ID.sub("id", value) if isinstance(value, str) else value


def _type_of(policy: bytes) -> type[Any]:
    """Create a struct type with the fields in a policy's YAML."""
    fields = msgspec.yaml.decode(policy, type=dict[str, Any]).items()
    return msgspec.defstruct("Policy", [(name, type(value)) for name, value in fields], frozen=True)


def register_scenario(name: str, module: str) -> None:
    """Register your own scenario and its environments with Gymnasium; repeated calls are safe.

    A scenario ``card_limits`` has ``Teller-CardLimits-v0`` and ``Teller-CardLimitsGraph-v0``.

    Args:
        name: lower-case words joined by underscores.
        module: module with a function ``load() -> Scenario``; the documents and frozen files are in its folder.

    Raises:
        OptionError: the name is invalid, or taken by another module.
    """
    if not _NAME.fullmatch(name):
        raise OptionError(
            f"name: expected lower case words joined by underscores, such as 'card_limits', got {shown(name)}"
        )
    entry = ScenarioEntry(name, module, f"Cases of the {name.replace('_', ' ')} procedure")
    if (known := SCENARIOS.setdefault(name, entry)).module != module:
        raise OptionError(f"name: expected one that is not taken, got {shown(name)}, which {known.module} has")
    register_cards(scenario_cards(known))


def loaded_again(name: str, package: str) -> Scenario:
    """Load a scenario for unpickling, after importing its package, which registers a user's own scenario."""
    importlib.import_module(package)
    return load_scenario(name)


def load_scenario(name: str) -> Scenario:
    """Load a scenario by name; later calls return the same object.

    Raises:
        OptionError: there is no such scenario.
    """
    if not isinstance(name, str) or name not in SCENARIOS:
        raise OptionError(f"scenario: expected one of {', '.join(sorted(SCENARIOS))}, got {shown(name)}")
    return _loaded(name)


@cache
def _loaded(name: str) -> Scenario:
    scenario: Scenario = importlib.import_module(SCENARIOS[name].module).load()
    return scenario
