"""The record of one episode: what a line of `episodes.jsonl` holds.

A record is plain data, the same bytes whenever the same episode is played again; times are kept elsewhere.
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
"""Version of the record and of run.json. A reader refuses any other."""

MOST = 2**53
"""Largest count: counts are compared and summed as floats, which represent every whole number up to this."""

Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Amount = Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)]


class Status(StrEnum):
    """The way an episode ended."""

    FINISHED = "finished"
    """The agent ended it: final review submitted, or a final response given."""
    TRUNCATED = "truncated"
    """The step budget was spent."""
    INVALID = "invalid"
    """Our own infrastructure broke (env, agent code, endpoint). Left out of every mean, never scored 0."""


class Kind(StrEnum):
    """The reading of an action."""

    CALL = "call"
    MALFORMED = "malformed"
    """Meant as a call, but not readable as one."""
    RESPONSE = "response"
    """Text without a call; it ends the episode."""


class Turn(TypedDict):
    """One step: what the agent wrote and what came back."""

    action: str
    kind: str
    tool: str | None
    """Name that the call gives; None where it was read as no call or gives none."""
    result: str
    error: dict[str, Any] | None
    """`{"kind", "message", "field"}`."""
    reward: Amount
    passed: list[str]
    """Checkpoints that this step passed."""
    original: str | None
    """The tool's own name, where a shifted schema shows another; None where no tool in play is meant."""
    model: dict[str, Any]
    """`prompt` and `completion` tokens of the request that led to this action, where the agent counts them; of a model
    behind an endpoint also what it said besides (see `teller_gym.agents.base.Reply.note`). Empty for all but the first
    action of one reply. `odd_usage`: impossible token counts, which are left out and reported once per episode.
    """


class CheckpointRecord(TypedDict):
    """One checkpoint at the end of the episode, and why it was passed or not."""

    checkpoint: str
    passed: bool
    reason: str


class FaultRecord(TypedDict):
    """One thing that went wrong, as the grader reports it; see `teller_gym.grading.faults.Fault`."""

    step: Count
    """Index in the trace, from 0, of the action at which it was seen; of a missing call, of the first one that should
    have come after it. The length of the trace where there is none."""
    kind: str
    """See `teller_gym.grading.faults.FaultKind`."""
    tool: str
    argument: str | None
    clause: str | None
    """Of the SOP."""
    field: str | None
    """Field that the value should have come from, or the wrong field of a record."""
    expected: str | None
    got: str | None
    """Both are JSON text, since their types differ from fault to fault; None if there is no value."""
    reason: str
    made_good: bool
    """True if it was put right later, so that it cost no success."""


class GraphRecord(TypedDict):
    """The answer of stage 1, under the tools' own names; a name of no tool in the pool stays as it was written."""

    nodes: list[str]
    edges: list[Annotated[list[str], msgspec.Meta(min_length=2, max_length=2)]]
    """Pairs `[upstream, downstream]`."""
    readable: bool
    cyclic: bool
    problems: list[str]
    """Description of the fault, in words."""


class DefectRecord(TypedDict):
    """A crash of our own code on an action of the agent, which counts as a failed call."""

    step: int
    """Index of the action in the trace, from 0."""
    crash: str
    """The crash: exception, message and place."""


class _Sometimes(TypedDict, total=False):
    defects: list[DefectRecord]
    """Only there if something crashed."""


class Episode(_Sometimes):
    """One line of `episodes.jsonl`. Of an invalid episode only the keys down to `difficulty` mean anything."""

    format: int
    canary: str
    """The canary of the frozen tasks, since a record quotes what is right: no training on it."""
    task_id: str
    scenario: str
    stage: int
    """1: reconstruct the graph; 2: execute."""
    split: str
    agent: str
    trial: Count
    """From 0."""
    seed: Count
    """Given to the env's reset, to its action space and to the agent."""
    status: str
    failure: str | None
    """Of an invalid episode: exception and message."""
    outcome: str
    """The class of the task's right answer."""
    branches: dict[str, str]
    """The outcome of each decision point on the task's right path."""
    difficulty: Share | None
    """Level from 0 (easy) to 1; see `teller_gym.tasks.difficulty`. None in stage 1."""

    accurate: bool
    """Every output field right. Of stage 1 the same as success."""
    success: bool
    """Accurate, no collateral damage, and every required call that writes done right in its place, so that the bank is
    as the standard result leaves it."""
    clean: bool
    """Success without a single failed or wrong-valued call. Of stage 1 the same as success."""
    score: Share
    reward_terms: dict[str, Amount]
    """The score's unweighted parts, `checkpoints`, `parameters` and `outcome` among them, each in [0, 1]; in stage 1
    the metrics of `teller_gym.stage1.metrics.METRICS`."""
    checkpoints: list[CheckpointRecord]
    faults: list[FaultRecord]
    """Faults in the order in which they happened, those made good last; empty in stage 1."""
    error_counts: dict[str, Count]
    """Occurrences of each error kind of ERROR_KINDS, zeros left out."""
    outputs: dict[str, Any]
    """The output fields that the agent submitted; empty where it did not."""
    required_tools: list[str]
    invoked_tools: list[str]
    attempts: Count
    """Actions of kind call or malformed."""
    valid_calls: Count
    """Calls that a tool accepted."""
    steps: Count
    tokens: dict[str, Count] | None
    """`prompt` and `completion`, summed over the episode; None where the agent does not count."""
    tools: list[str]
    """Names of the tools in play."""
    graph: GraphRecord | None
    """The answer in stage 1; None in stage 2."""
    trace: list[Turn]
    messages: list[dict[str, Any]]
    """The whole chat in OpenAI's format, with calls' arguments as JSON text."""


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
"""Error kinds whose shares are reported, the paper's three first. Kinds that a later grader adds are reported too."""


@dataclass(frozen=True, slots=True)
class Times:
    """Duration of an episode, in seconds; kept beside its record, since no two times are the same.

    Attributes:
        wall_s: from its reset to its end; waiting for episodes played beside it counts.
        turns_s: of each turn, from the previous answer to this one; empty where it was not noted.
    """

    wall_s: float
    turns_s: tuple[float, ...] = ()


def key(episode: Episode) -> tuple[str, int]:
    """Return the identity of an episode within a run: task id and trial."""
    return episode["task_id"], episode["trial"]


def invalid(
    *, task_id: str, scenario: str, stage: int, split: str, agent: str, trial: int, seed: int, outcome: str,
    branches: dict[str, str], difficulty: float | None, failure: str,
) -> Episode:  # fmt: skip
    """Return the record of an episode that broke down through no fault of the agent's answers."""
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
    """Return a value as JSON text, so that every value has the same type; None stays None."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def with_argument_texts(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with the arguments of every call as JSON text, as in OpenAI's format."""
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
