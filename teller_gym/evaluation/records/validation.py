"""Conditions that a record or a run.json must meet before anything is measured, graded or shown from it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec

from teller_gym.evaluation.records.episode import FORMAT, Episode, Status
from teller_gym.evaluation.records.jsonl import shown
from teller_gym.evaluation.records.migrations import EARLIER, UNTYPED, brought_up
from teller_gym.tasks.store import CANARY

MOST_PLANNED = 10_000_000
"""Episodes of a run; a number of trials beyond it is a slip or damage."""
_MOST = 2**53
"""Largest count: counts are compared and summed as floats, which represent every whole number up to this."""

_Count = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
_Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
_Price = Annotated[float, msgspec.Meta(ge=0, le=1e12)]


class _Prices(TypedDict):
    prompt: _Price
    completion: _Price
    cached: NotRequired[_Price | None]


class _Agent(TypedDict):
    name: str
    prices: NotRequired[_Prices | None]


class _Part(TypedDict):
    env: str
    scenario: str
    stage: Literal[1, 2]
    splits: list[str]
    options: dict[str, Any]
    tools: str
    frozen_sha256: NotRequired[str | None]
    task_ids: list[str]
    unseen: NotRequired[bool]


class _Config(TypedDict):
    teller_gym: str
    agent: _Agent
    parts: Annotated[list[_Part], msgspec.Meta(min_length=1)]
    trials: Annotated[int, msgspec.Meta(ge=1, le=MOST_PLANNED)]
    seed: Annotated[int, msgspec.Meta(ge=0)]


class _Times(TypedDict):
    task_id: str
    trial: _Count
    wall_s: _Seconds
    turns_s: NotRequired[list[_Seconds]]


class OtherFormatError(ValueError):
    """A record that another version wrote: nothing is wrong with it."""


def expect_config(value: Any) -> None:
    """Raise ValueError unless a value is a run.json that can be worked by."""
    _convert(value, _Config)
    ids = [task_id for part in value["parts"] for task_id in part["task_ids"]]
    if len(set(ids)) < len(ids):
        raise ValueError("expected each task once in parts.task_ids")
    if len(ids) * value["trials"] > MOST_PLANNED:
        raise ValueError(f"expected at most {MOST_PLANNED} episodes, got {len(ids)} tasks of {value['trials']} trials")


def expect_times(value: Any) -> None:
    """Raise ValueError unless a value is a line of times.jsonl."""
    _convert(value, _Times)


def whole_episode(value: Any) -> Episode:
    """Return the record that a value is, brought up to the present format.

    Raises:
        OtherFormatError: a version wrote it whose records are not read.
        ValueError: it is none; the message says what was expected.
    """
    if not isinstance(value, dict):
        raise ValueError(f"expected a record, got {_kind(value)}")
    number = value.get("format")
    if type(number) is int and number > 0 and number not in (FORMAT, UNTYPED, EARLIER):
        raise OtherFormatError(f"a record of format {shown(str(number))}")
    if type(number) is int and number in (EARLIER, UNTYPED):
        try:
            value = brought_up(value)
        except (LookupError, TypeError, AttributeError):
            raise ValueError(f"expected a record of format {number}") from None
    elif number != FORMAT or type(number) is not int:
        raise ValueError(f"expected a record of format {FORMAT}")
    _convert({"canary": CANARY, **value}, Episode)  # older ones have no canary
    episode: Episode = value
    _expect_ranges(episode)
    return episode


def _expect_ranges(episode: Episode) -> None:
    """Complain about values of the right type that no episode has."""
    tokens, graph, difficulty = episode["tokens"], episode["graph"], episode["difficulty"]
    if episode["status"] not in tuple(Status):
        raise ValueError(f"expected status to be one of {', '.join(Status)}")
    if tokens is not None and not tokens.keys() >= {"prompt", "completion"}:
        raise ValueError("expected tokens to have prompt and completion")
    counts = {name: episode[name] for name in ("trial", "seed", "attempts", "valid_calls", "steps")}
    counts |= {f"tokens.{name}": count for name, count in (tokens or {}).items()}
    counts |= {f"error_counts.{name}": count for name, count in episode["error_counts"].items()}
    counts |= {f"faults[{place}].step": fault["step"] for place, fault in enumerate(episode["faults"])}
    for name, count in counts.items():
        if not 0 <= count <= _MOST:
            raise ValueError(f"expected {name} to be a whole number from 0 to {_MOST}")
    shares = {"score": episode["score"], "difficulty": 0.0 if difficulty is None else difficulty}
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ValueError(f"expected {name} to be from 0 to 1")
    amounts = {f"reward_terms.{name}": term for name, term in episode["reward_terms"].items()}
    amounts |= {f"trace[{place}].reward": turn["reward"] for place, turn in enumerate(episode["trace"])}
    for name, amount in amounts.items():
        if not -_MOST <= amount <= _MOST:
            raise ValueError(f"expected {name} to be a number of ordinary size")
    if graph is not None and any(len(edge) != 2 for edge in graph["edges"]):
        raise ValueError("expected graph.edges to be pairs")
    if graph is None and episode["stage"] == 1 and episode["status"] != Status.INVALID:
        raise ValueError("expected graph, the answer of stage 1")


def _convert(value: Any, kind: Any) -> None:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        where = path.rstrip("`").lstrip(".")
        raise ValueError(f"{reason[:1].lower()}{reason[1:]}{f' at {where}' if where else ''}") from None


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
