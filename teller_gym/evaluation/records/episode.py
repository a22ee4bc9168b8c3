"""Record of one episode, a line in `episodes.jsonl`.

A record is plain data and byte-identical whenever the same episode is played again; times are stored separately.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, TypedDict

import msgspec

from teller_gym.tasks.store import CANARY

FORMAT = 4
"""Version of the record and of run.json; a reader rejects any other."""

MOST = 2**53
"""Maximum count; floats, in which counts are summed, represent every integer up to it exactly."""

Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Amount = Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)]


class Status(StrEnum):
    """Status of an episode at its end."""

    FINISHED = "finished"
    """The agent submitted its final review or gave a final response."""
    TRUNCATED = "truncated"
    """The step limit was reached."""
    INVALID = "invalid"
    """The infrastructure failed (env, agent code or endpoint); left out of every mean, never scored 0."""


class Kind(StrEnum):
    """Type of an action, as the env interpreted it."""

    CALL = "call"
    MALFORMED = "malformed"
    """Attempted call that could not be parsed."""
    RESPONSE = "response"
    """Text without a call, which ends the episode."""


class Turn(TypedDict):
    """One step with the agent's action and its result."""

    action: str
    kind: str
    tool: str | None
    """Tool name in the call, or None if the action was no call or named no tool."""
    result: str
    error: dict[str, Any] | None
    """Error as `{"kind", "message", "field"}`, or None."""
    reward: Amount
    passed: list[str]
    """Names of the checkpoints that this step passed."""
    original: str | None
    """Original name of the tool, which a shifted schema may replace; None if the call names no available tool."""
    model: dict[str, Any]
    """Token counts and notes of the model request.

    It has the `prompt` and `completion` tokens of the request that led to this action, if the agent counts them, and
    further notes from a model behind an endpoint (see `teller_gym.agents.base.Reply.note`). Only the first action of a
    reply has them. `odd_usage` contains impossible token counts, which are left out and reported once per episode.
    """


class CheckpointRecord(TypedDict):
    """Result of one checkpoint at the end of the episode, with the reason."""

    checkpoint: str
    passed: bool
    reason: str


class FaultRecord(TypedDict):
    """One fault found by the grader; see `teller_gym.grading.faults.Fault`."""

    step: Count
    """Index in the trace, from 0, of the action with the fault.

    For a missing call, it is the index of the first action that should have followed it, or the length of the trace if
    there is none.
    """
    kind: str
    """Type of fault; see `teller_gym.grading.faults.FaultKind`."""
    tool: str
    argument: str | None
    clause: str | None
    """SOP clause that the fault breaks, if known."""
    field: str | None
    """Field from which the value should have come, or the wrong field of a record."""
    expected: str | None
    got: str | None
    """Like `expected`, JSON text, since types differ between faults; None if there is no value."""
    reason: str
    made_good: bool
    """True if the fault was corrected later, so that it did not prevent success."""


class GraphRecord(TypedDict):
    """Stage 1 answer with the tools' original names; names of unknown tools are kept as written."""

    nodes: list[str]
    edges: list[Annotated[list[str], msgspec.Meta(min_length=2, max_length=2)]]
    """Edges as pairs `[upstream, downstream]`."""
    readable: bool
    cyclic: bool
    problems: list[str]
    """Descriptions of problems with the answer."""


class DefectRecord(TypedDict):
    """Crash of the package's own code on an agent's action, which counts as a failed call."""

    step: int
    """Index of the action in the trace, from 0."""
    crash: str
    """Exception, message and location of the crash."""


class _Sometimes(TypedDict, total=False):
    defects: list[DefectRecord]
    """Crashes; absent if nothing crashed."""


class Episode(_Sometimes):
    """One line of `episodes.jsonl`.

    In an invalid episode, only the keys up to `difficulty` are meaningful.
    """

    format: int
    canary: str
    """Canary string of the frozen tasks.

    Records quote correct answers and must not be used for training.
    """
    task_id: str
    scenario: str
    stage: int
    """Stage number: 1 for graph reconstruction, 2 for execution."""
    split: str
    agent: str
    trial: Count
    """Index of the trial, from 0."""
    seed: Count
    """Seed for the env's reset, its action space and the agent."""
    status: str
    failure: str | None
    """Exception and message if the episode is invalid."""
    outcome: str
    """Class of the task's expected answer."""
    branches: dict[str, str]
    """Branch taken at each decision point on the task's correct path."""
    difficulty: Share | None
    """Difficulty from 0 (easy) to 1, see `teller_gym.tasks.difficulty`; None in stage 1."""

    accurate: bool
    """True if every output field is correct; in stage 1, equal to success."""
    success: bool
    """True if the episode succeeded.

    It must be accurate, without collateral damage, and with every required writing call made correctly and in order, so
    that the bank is in the expected state.
    """
    clean: bool
    """True for a success without any failed or wrong-valued call; in stage 1, equal to success."""
    score: Share
    reward_terms: dict[str, Amount]
    """Unweighted terms of the score, each in [0, 1].

    They include `checkpoints`, `parameters` and `outcome`; in stage 1 they are the metrics in
    `teller_gym.stage1.metrics.METRICS`.
    """
    checkpoints: list[CheckpointRecord]
    faults: list[FaultRecord]
    """Faults in the order in which they occurred, with corrected ones last; empty in stage 1."""
    error_counts: dict[str, Count]
    """Number of errors by type (see ERROR_KINDS), without zeros."""
    outputs: dict[str, Any]
    """Output fields that the agent submitted; empty if it submitted nothing."""
    required_tools: list[str]
    invoked_tools: list[str]
    attempts: Count
    """Number of actions of type call or malformed."""
    valid_calls: Count
    """Number of calls accepted by a tool."""
    steps: Count
    tokens: dict[str, Count] | None
    """Number of `prompt` and `completion` tokens in the episode; None if the agent does not count them."""
    tools: list[str]
    """Names of the available tools."""
    graph: GraphRecord | None
    """Stage 1 answer; None in stage 2."""
    trace: list[Turn]
    messages: list[dict[str, Any]]
    """The whole chat in OpenAI's format, with call arguments as JSON text."""


ERROR_KINDS = (
    "blank",
    "validation",
    "type",
    "malformed",
    "unknown_tool",
    "order",
    "provenance",
    "collateral",
    "budget",
    "ended_without_review",
    "cut_answer",
    "cut_prompt",
)
"""Error types whose shares are always reported, starting with the paper's three.

Other types are reported if they occur.
"""


@dataclass(frozen=True, slots=True)
class Times:
    """Duration of an episode in seconds, stored separately from its reproducible record.

    Attributes:
        wall_s: time from reset to end, including the time spent waiting for concurrent episodes.
        turns_s: duration of each turn, from the previous action to this one; empty if it was not recorded.
    """

    wall_s: float
    turns_s: tuple[float, ...] = ()


def key(episode: Episode) -> tuple[str, int]:
    """Return the task id and trial, which identify an episode within a run."""
    return episode["task_id"], episode["trial"]


def invalid(
    *, task_id: str, scenario: str, stage: int, split: str, agent: str, trial: int, seed: int, outcome: str,
    branches: dict[str, str], difficulty: float | None, failure: str,
) -> Episode:  # fmt: skip
    """Return the record of an episode that failed through no fault of the agent's answers."""
    return Episode(
        format=FORMAT, canary=CANARY, task_id=task_id, scenario=scenario, stage=stage, split=split, agent=agent,
        trial=trial, seed=seed, status=Status.INVALID, failure=failure, outcome=outcome, branches=branches,
        difficulty=difficulty,
        accurate=False, success=False, clean=False, score=0.0, reward_terms={}, checkpoints=[], faults=[],
        error_counts={}, outputs={},
        required_tools=[], invoked_tools=[], attempts=0, valid_calls=0, steps=0, tokens=None, tools=[], graph=None,
        trace=[], messages=[],
    )  # fmt: skip


def json_text(value: Any) -> str | None:
    """Serialise a value to JSON text, or return None for None.

    Values of all types can then be stored in one field.
    """
    return None if value is None else json.dumps(value, ensure_ascii=False)


def with_argument_texts(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return messages whose tool call arguments are JSON text, as in OpenAI's format."""
    found = []
    for message in messages:
        calls = message.get("tool_calls")
        found.append({**message, "tool_calls": [_with_text(call) for call in calls]} if calls else dict(message))
    return found


def _with_text(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    given = function.get("arguments")
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {**call, "function": {**function, "arguments": text}}
