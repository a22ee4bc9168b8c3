"""Validation of records and of run.json before anything is measured, graded or displayed."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec

from teller_gym.evaluation.records.episode import FORMAT, Count, Episode, Status
from teller_gym.evaluation.records.jsonl import shown

MOST_PLANNED = 10_000_000
"""Maximum number of episodes in a run; a larger number indicates a typing error or damage."""
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
    trial: Count
    wall_s: _Seconds
    turns_s: NotRequired[list[_Seconds]]


class OtherFormatError(ValueError):
    """Raised for a valid record that another version wrote."""


def expect_config(value: Any) -> None:
    """Raise ValueError unless a value is a valid run.json."""
    _convert(value, _Config)
    ids = [task_id for part in value["parts"] for task_id in part["task_ids"]]
    if len(set(ids)) < len(ids):
        raise ValueError("expected each task once in parts.task_ids")
    if len(ids) * value["trials"] > MOST_PLANNED:
        raise ValueError(f"expected at most {MOST_PLANNED} episodes, got {len(ids)} tasks of {value['trials']} trials")


def expect_times(value: Any) -> None:
    """Raise ValueError unless a value is a valid line of times.jsonl."""
    _convert(value, _Times)


def whole_episode(value: Any) -> Episode:
    """Validate a value as an episode record and return it.

    Raises:
        OtherFormatError: another version wrote the record.
        ValueError: the value is not a valid record; the message says what was expected.
    """
    if not isinstance(value, dict):
        raise ValueError(f"expected a record, got {_kind(value)}")
    number = value.get("format")
    if type(number) is int and number > 0 and number != FORMAT:
        raise OtherFormatError(f"a record of format {shown(str(number))}")
    if type(number) is not int or number != FORMAT:
        raise ValueError(f"expected a record of format {FORMAT}")
    _convert(value, Episode)
    episode: Episode = value  # type: ignore[assignment]
    tokens = episode["tokens"]
    if episode["status"] not in tuple(Status):
        raise ValueError(f"expected status to be one of {', '.join(Status)}")
    if tokens is not None and not tokens.keys() >= {"prompt", "completion"}:
        raise ValueError("expected tokens to have prompt and completion")
    if episode["graph"] is None and episode["stage"] == 1 and episode["status"] != Status.INVALID:
        raise ValueError("expected graph, the answer of stage 1")
    return episode


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
