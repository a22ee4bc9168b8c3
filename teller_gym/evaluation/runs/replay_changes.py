"""Differences between an episode's stored record and the record of its replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from teller_gym.evaluation.records.episode import CheckpointRecord, Episode, Turn

_TOLERANCE = 1e-9
"""Tolerance for differences between numbers, since machines may round the last bit differently."""

_ANSWERED = ("kind", "tool", "original", "result", "error")
_PAID = ("reward", "passed")
_OF_TASK = ("outcome", "branches", "difficulty", "required_tools", "tools")
_TOLD_APART = frozenset({"score", "success", "reward_terms", "checkpoints", "trace", "messages", *_OF_TASK})
_OPENING = {"system": "procedure", "user": "request"}
"""Names reported for the content of the opening messages, by role."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A stored value and its replayed counterpart, either of which may be None."""

    then: Any
    now: Any


@dataclass(frozen=True, slots=True)
class CheckpointChange:
    """A checkpoint whose result or reason has changed."""

    checkpoint: str
    passed: Pair
    reason: Pair


@dataclass(frozen=True, slots=True)
class StepChange:
    """The first step with a different result; steps count from 1."""

    step: int
    action: str
    result: Pair
    error: Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeChanges:
    """Differences between an episode and its replay.

    Attributes:
        score, success: stored and replayed values; `now` is None if the replay failed.
        terms: unweighted reward terms that differ.
        checkpoints: checkpoints that differ.
        step: the first step with a different result.
        paid: the first step with a different reward or different passed checkpoints.
        task: parts of the task that differ, such as `request`, `procedure`, `tools` or `outcome`.
        ending: description of the change, if the episode now ends at another step.
        failure: reason why the replay failed, such as a removed task.
        other: further fields of the record that differ.
    """

    task_id: str
    trial: int
    stage: int
    score: Pair
    success: Pair
    terms: Mapping[str, Pair]
    checkpoints: tuple[CheckpointChange, ...]
    step: StepChange | None
    paid: int | None
    task: tuple[str, ...]
    ending: str | None
    failure: str | None
    other: tuple[str, ...]

    @property
    def changed(self) -> bool:
        if self.ending is not None or self.step is not None or self.paid is not None:
            return True
        return self.graded_otherwise or bool(self.terms or self.checkpoints or self.task or self.other)

    @property
    def graded_otherwise(self) -> bool:
        """True if score or success has changed or is missing in the replay."""
        return not same(self.score.then, self.score.now) or self.success.then != self.success.now

    def to_dict(self) -> dict[str, Any]:
        """Return the differences as JSON values, including `changed`."""
        return {**asdict(self), "changed": self.changed}


def gone(then: Episode, failure: str) -> EpisodeChanges:
    """Return the changes for an episode whose replay failed for the given reason."""
    return EpisodeChanges(
        task_id=then["task_id"], trial=then["trial"], stage=then["stage"], score=Pair(then["score"], None),
        success=Pair(then["success"], None), terms={}, checkpoints=(), step=None, paid=None, task=(), ending=None,
        failure=failure, other=(),
    )  # fmt: skip


def changes(then: Episode, now: Episode, ending: str | None = None) -> EpisodeChanges:
    """Compare two records of the same actions; see `EpisodeChanges` for `ending`."""
    names = [name for name in Episode.__annotations__ if not same(then.get(name), now.get(name))]
    step = _first_step(then["trace"], now["trace"])
    task = (*_opening(then["messages"], now["messages"]), *(name for name in _OF_TASK if name in names))
    other = [name for name in names if name not in _TOLD_APART]
    if "messages" in names and step is None and not task and ending is None:
        other.append("messages")
    terms = dict.fromkeys([*then["reward_terms"], *now["reward_terms"]])
    pairs = {name: Pair(then["reward_terms"].get(name), now["reward_terms"].get(name)) for name in terms}
    return EpisodeChanges(
        task_id=then["task_id"],
        trial=then["trial"],
        stage=then["stage"],
        score=Pair(then["score"], now["score"]),
        success=Pair(then["success"], now["success"]),
        terms={name: pair for name, pair in pairs.items() if not same(pair.then, pair.now)},
        checkpoints=tuple(_checkpoints(then["checkpoints"], now["checkpoints"])),
        step=step,
        paid=_first(then["trace"], now["trace"], _PAID),
        task=task,
        ending=ending,
        failure=None,
        other=tuple(other),
    )


def same(then: Any, now: Any) -> bool:
    """Return True if two JSON values are equal, with a small tolerance for numbers."""
    if isinstance(then, dict) and isinstance(now, dict):
        return then.keys() == now.keys() and all(same(value, now[name]) for name, value in then.items())
    if isinstance(then, list | tuple) and isinstance(now, list | tuple):
        return len(then) == len(now) and all(map(same, then, now))
    if isinstance(then, bool) or isinstance(now, bool):
        return then is now
    if isinstance(then, int | float) and isinstance(now, int | float):
        return abs(then - now) <= _TOLERANCE
    return bool(then == now)


def _opening(then: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names of the opening messages that differ."""
    for role, what in _OPENING.items():
        before, after = ([one["content"] for one in chat if one["role"] == role][:1] for chat in (then, now))
        if before != after:
            yield what


def _first(then: Sequence[Turn], now: Sequence[Turn], fields: Sequence[str]) -> int | None:
    """Return the number of the first step in which one of the fields differs, or None.

    Only steps in both traces are compared.
    """
    for number, (before, after) in enumerate(zip(then, now, strict=False), 1):
        old: Mapping[str, Any] = before
        new: Mapping[str, Any] = after
        if any(not same(old[name], new[name]) for name in fields):
            return number
    return None


def _first_step(then: Sequence[Turn], now: Sequence[Turn]) -> StepChange | None:
    number = _first(then, now, _ANSWERED)
    if number is None:
        return None
    before, after = then[number - 1], now[number - 1]
    result, error = Pair(before["result"], after["result"]), Pair(before["error"], after["error"])
    return StepChange(number, before["action"], result, error)


def _checkpoints(then: Sequence[CheckpointRecord], now: Sequence[CheckpointRecord]) -> Iterator[CheckpointChange]:
    before, after = ({row["checkpoint"]: row for row in rows} for rows in (then, now))
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        if old is None or new is None or (old["passed"], old["reason"]) != (new["passed"], new["reason"]):
            passed = Pair(None if old is None else old["passed"], None if new is None else new["passed"])
            reason = Pair(None if old is None else old["reason"], None if new is None else new["reason"])
            yield CheckpointChange(name, passed, reason)
