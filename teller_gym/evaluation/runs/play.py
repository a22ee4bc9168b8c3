"""Plays one episode, passing actions to the env and recording everything that happens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import msgspec

from teller_gym.agents.base import SHOWN_TO_AGENTS, BatchAgent, DialogueAgent, SeedsEpisodes
from teller_gym.agents.usage import add_counts, read_counts
from teller_gym.base.errors import ErrorKind, InfrastructureError
from teller_gym.envs.contract import contract_of, execution_of
from teller_gym.evaluation.records.episode import (
    FORMAT,
    CheckpointRecord,
    DefectRecord,
    Episode,
    FaultRecord,
    GraphRecord,
    Kind,
    Status,
    Times,
    Turn,
    invalid,
    json_text,
    with_argument_texts,
)
from teller_gym.evaluation.runs.parts import level_of, outcome_field
from teller_gym.evaluation.runs.players import Place, name_of
from teller_gym.evaluation.runs.tasks import Chosen, as_chosen
from teller_gym.stage1.document import MAX_CHARACTERS
from teller_gym.tasks.store import CANARY
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, stored

if TYPE_CHECKING:
    from teller_gym.envs.graph import GraphEnv


_SHOWN = 300
"""Maximum characters of impossible token counts in a record."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One episode to play, as plain data.

    Attributes:
        part: index of the episode's part in the run.
        tools: original names of the available tools; None to use the part's options.
    """

    part: int
    task: Chosen
    trial: int
    seed: int
    tools: tuple[str, ...] | None = None


class BrokenError(Exception):
    """Raised when an episode fails for reasons other than the agent's answers."""

    @property
    def passing(self) -> bool:
        """True if a retry may succeed.

        That is the case if a resource failed rather than code, and not permanently (`for_all`).
        """
        return isinstance(self.__cause__, InfrastructureError) and not getattr(self.__cause__, "for_all", False)


@contextmanager
def ours(what: str) -> Iterator[None]:
    """Convert exceptions in the block to BrokenError; `what` names the failed operation."""
    try:
        yield
    except Exception as error:
        raise BrokenError(f"{what}: {type(error).__name__}: {error}") from error


class Play:
    """A running episode: passes actions to the env and records what happens."""

    def __init__(self, planned: Planned, place: Place, clock: Callable[[], float]) -> None:
        self.planned = planned
        self.place = place
        self._task = planned.task
        self._core = contract_of(place.env)
        self._stage: int = getattr(self._core, "stage", 2)
        self._clock = clock
        self._started = clock()
        self._trace: list[Turn] = []
        self._marks: list[float] = []
        """Start time of the first turn, followed by the end time of each turn."""
        self._tokens: dict[str, int] | None = None
        self._odd_usage = False
        self._defects: list[DefectRecord] = []
        self._info: dict[str, Any] = {}
        self._offered: list[dict[str, Any]] | None = None
        self._known: dict[str, str | None] = {}
        """Original names of all tools offered so far, by the name shown to the agent."""
        self.obs: Any = None
        self.over = False
        self._truncated = False

    def start(self) -> None:
        """Reset the env and the agent with the episode's seed."""
        seed, env = self.planned.seed, self.place.env
        options: dict[str, Any] = {"task_id": self.planned.task.id}
        if self.planned.tools is not None:
            options["tools"] = list(self.planned.tools)
        with ours("reset of the env"):
            env.action_space.seed(seed)
            self.obs, self._info = env.reset(seed=seed, options=options)
            self._offer()
            if self._stage == 2:  # a drawn policy changes the expected outcome and branches
                scenario, distractors = self._core.scenario, getattr(self._core, "distractors", 0)
                played = execution_of(self.place.env).task
                level = level_of(scenario, distractors)
                self._task = as_chosen(played, outcome_field(scenario), level)
        agent = self.place.agent
        with ours("reset of the agent"):
            if isinstance(agent, SeedsEpisodes):
                agent.seed(seed)
            if not isinstance(agent, BatchAgent | DialogueAgent):
                agent.reset()
        self._marks = [self._clock()]

    def _offer(self) -> None:
        """Update the available tools, which may change after a step.

        Earlier tools remain known by name.
        """
        self.tools: list[dict[str, Any]] = self._core.tool_schemas()
        if self.tools is self._offered:
            return
        self._offered = self.tools
        tools = getattr(self._core, "tools", None)  # a dict by name, except in foreign envs
        for schema in self.tools:
            name = str(schema["function"]["name"])
            own = tools.get(name) if isinstance(tools, Mapping) else None
            self._known.setdefault(name, None if own is None else str(own.original.name))

    def info(self) -> dict[str, Any]:
        """Return the part of info that the agent may see, which excludes everything about the grade."""
        return {**{name: self._info[name] for name in SHOWN_TO_AGENTS}, "tools": self.tools}

    def messages(self) -> list[dict[str, Any]]:
        with ours("messages of the env"):
            messages: list[dict[str, Any]] = self._core.messages()
        return messages

    def apply(
        self, action: object, usage: Mapping[str, int] | None = None, note: Mapping[str, Any] | None = None
    ) -> bool:
        """Play one action, record its result, and return True if the episode is over.

        Args:
            usage: `prompt` and `completion` tokens of the action, if the agent counts them; impossible counts are
                left out.
            note: further information from the model, for the record.
        """
        counts, note = read_counts(usage), dict(note or {})
        if counts is not None:
            self._tokens = add_counts(self._tokens or {}, counts)
        elif usage is not None and not self._odd_usage:
            note["odd_usage"] = ascii(usage)[:_SHOWN]
        self._odd_usage = self._odd_usage or "odd_usage" in note
        if not isinstance(action, str):
            raise BrokenError(f"the agent's action: expected text, got {type(action).__name__}")
        before = {name for name, passed in self._info["checkpoints"].items() if passed}
        with ours("step of the env"):
            self.obs, reward, terminated, truncated, self._info = self.place.env.step(action)
            self._offer()
        if self._info["invalid"]:
            raise BrokenError(f"the env called the episode invalid: {self._core.failure}")
        if (defect := self._info.get("defect")) is not None:  # a foreign env may not have this key
            self._defects.append(DefectRecord(step=len(self._trace), crash=str(defect)))
        error = dict(self._info["error"]) if self._info["error"] is not None else None  # records are JSON
        result = self.obs["tool_result"]
        self._trace.append(
            Turn(
                action=stored(action, MAX_CHARACTERS if self._stage == 1 else MAX_ACTION_CHARACTERS),
                kind=_kind(error, result),
                tool=None,
                result=result,
                error=None if error is None else dict(error),
                reward=float(reward),
                passed=[name for name, passed in self._info["checkpoints"].items() if passed and name not in before],
                original=None,
                model={**(counts or {}), **_kept(note)},
            )
        )
        self._marks.append(self._clock())
        self._truncated = truncated
        self.over = terminated or truncated
        return self.over

    def times(self) -> Times:
        """Return the duration of the episode so far and of each turn."""
        turns = tuple(round(end - start, 6) for start, end in pairwise(self._marks))
        return Times(round(self._clock() - self._started, 6), turns)

    def record(self) -> Episode:
        """Grade the episode and return its record."""
        messages = self.messages()
        with ours("grading"):
            grade = self._core.grade()
        self._name_tools(messages)
        errors = {str(kind): int(count) for kind, count in grade.errors.items()}
        if grade.collateral:
            errors["collateral"] = len(grade.collateral)
        calls = [turn for turn in self._trace if turn["kind"] != Kind.RESPONSE and not _unanswered(turn)]
        task = self._task
        episode = Episode(
            format=FORMAT,
            canary=CANARY,
            task_id=self.planned.task.id,
            scenario=task.scenario,
            stage=self._stage,
            split=self.planned.task.split,
            agent=name_of(self.place.agent),
            trial=self.planned.trial,
            seed=self.planned.seed,
            status=Status.TRUNCATED if self._truncated else Status.FINISHED,
            failure=None,
            outcome=task.outcome,
            branches=task.branches,
            difficulty=self.planned.task.difficulty if task.difficulty is None else task.difficulty,
            accurate=bool(grade.accurate),
            success=bool(grade.success),
            clean=bool(grade.clean),
            score=float(grade.score),
            reward_terms={name: float(value) for name, value in grade.terms.items()},
            checkpoints=[
                CheckpointRecord(checkpoint=row.checkpoint, passed=row.passed, reason=row.reason)
                for row in grade.reasons
            ],
            faults=[_fault(fault) for fault in grade.faults],
            error_counts=errors,
            outputs=dict(grade.outputs or {}),
            required_tools=list(grade.required_tools),
            invoked_tools=list(grade.invoked_tools),
            attempts=len(calls),
            valid_calls=sum(turn["error"] is None for turn in calls),
            steps=len(self._trace),
            tokens=self._tokens,
            tools=list(self._core.tools if self._stage == 1 else self._known),
            graph=self._graph() if self._stage == 1 else None,
            trace=self._trace,
            messages=with_argument_texts(messages),
        )
        if self._defects:
            episode["defects"] = self._defects
        return episode

    def broken(self, error: BrokenError) -> Episode:
        """Return an invalid record for an episode that failed with this error."""
        return broken_record(self.planned, name_of(self.place.agent), self._stage, str(error))

    def _graph(self) -> GraphRecord:
        core = cast("GraphEnv", self._core)
        answer, graph = core.episode.scored().answer, core.episode.answer_by_own_names()
        return GraphRecord(
            nodes=list(graph.nodes),
            edges=[list(edge) for edge in graph.edges],
            readable=answer.readable,
            cyclic=graph.order is None,
            problems=[problem.message for problem in answer.problems],
        )

    def _name_tools(self, messages: Iterable[dict[str, Any]]) -> None:
        """Add the called tool's name, as written in the chat, and its original name to each turn."""
        answers = [message for message in messages if message["role"] == "assistant"]
        if len(answers) != len(self._trace):
            raise BrokenError(
                f"messages: expected one of the assistant for each of {len(self._trace)} actions, got {len(answers)}"
            )
        for turn, message in zip(self._trace, answers, strict=True):
            calls = message.get("tool_calls")
            if calls:
                name = str(calls[0]["function"]["name"])
                turn["tool"], turn["original"] = name, self._known.get(name)


def broken_record(planned: Planned, agent: str, stage: int, failure: str) -> Episode:
    """Return the record of an invalid episode."""
    task = planned.task
    return invalid(
        task_id=task.id, scenario=task.scenario, stage=stage, split=task.split, agent=agent, trial=planned.trial,
        seed=planned.seed, outcome=task.outcome, branches=task.branches, difficulty=task.difficulty, failure=failure,
    )  # fmt: skip


def _kept(note: Mapping[str, Any]) -> dict[str, Any]:
    """Return a note with long texts shortened for the record."""
    return {name: stored(value) if isinstance(value, str) else value for name, value in note.items()}


def _fault(fault: Any) -> FaultRecord:
    return FaultRecord(
        step=fault.step,
        kind=str(fault.kind),
        tool=fault.tool,
        argument=fault.argument,
        clause=fault.clause,
        field=fault.field,
        expected=json_text(msgspec.to_builtins(fault.expected)),
        got=json_text(msgspec.to_builtins(fault.got)),
        reason=fault.reason,
        made_good=bool(fault.made_good),
    )


def _unanswered(turn: Turn) -> bool:
    """Return True if a call returned a temporary error, which is not the agent's fault."""
    return turn["error"] is not None and turn["error"]["kind"] == ErrorKind.TEMPORARY


def _kind(error: Mapping[str, Any] | None, result: str) -> Kind:
    """Infer the type of an action from its result.

    The result is empty only for a response, since tools always return text.
    """
    if error is None:
        return Kind.CALL if result else Kind.RESPONSE
    return Kind.MALFORMED if error["kind"] == ErrorKind.MALFORMED else Kind.CALL
