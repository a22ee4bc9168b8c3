"""Result of regrading a run, as JSON values and as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from teller_gym.evaluation.measures.labels import RIGHT, column
from teller_gym.evaluation.runs.replay_changes import CheckpointChange, EpisodeChanges, Pair
from teller_gym.tables.model import value_text
from teller_gym.tables.text import text_table

_LISTED = 20
"""Maximum number of changed episodes in the text; the JSON contains all of them."""
_SHOWN = 300
"""Maximum characters of a tool result in the text."""
_ALWAYS = ("score", *RIGHT, "exact")
"""Metrics listed in the table even if they did not change."""


@dataclass(frozen=True, slots=True)
class Regrading:
    """Comparison of a stored run with its replay.

    Attributes:
        versions: teller_gym versions that played and regraded the run.
        data: scenarios whose data files have changed, which need not affect any episode.
        episodes: changes in every valid episode, in planned order.
        invalid: number of invalid episodes, which are not replayed.
        absent: number of planned episodes that were never played.
        metrics: metrics by stage and name, over the episodes that are complete in the run and in its replay.
    """

    agent: str
    versions: Pair
    data: tuple[str, ...]
    episodes: tuple[EpisodeChanges, ...]
    invalid: int
    absent: int
    metrics: Mapping[int, Mapping[str, Pair]]

    @property
    def changed(self) -> bool:
        return any(episode.changed for episode in self.episodes)

    def to_dict(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "teller_gym": {"then": self.versions.then, "now": self.versions.now},
            "changed": self.changed,
            "data_changed": list(self.data),
            "invalid": self.invalid,
            "absent": self.absent,
            "metrics": {
                f"stage{stage}": {name: {"then": pair.then, "now": pair.now} for name, pair in metrics.items()}
                for stage, metrics in self.metrics.items()
            },
            "episodes": [episode.to_dict() for episode in self.episodes],
        }

    def table(self) -> str:
        """Format the changes as text."""
        # Changed grades come first.
        found = sorted((one for one in self.episodes if one.changed), key=lambda one: not one.graded_otherwise)
        lines = [f"{self.agent}, played by teller_gym {self.versions.then}, regraded by {self.versions.now}"]
        count = "1 episode" if len(self.episodes) == 1 else f"{len(self.episodes)} episodes"
        lines.append(
            f"{count} played again: {len(self.episodes) - len(found)} as before, {len(found)} changed"
            + (f"; {self.invalid} invalid, left as they are" if self.invalid else "")
            + (f"; {self.absent} of the plan not there" if self.absent else "")
        )
        lines += [f"the data files of {name} are others than those of the run" for name in self.data]
        for stage, metrics in self.metrics.items():
            rows = _rows(metrics)
            if rows:
                lines += ["", text_table((f"stage {stage}", "then", "now"), rows)]
        for episode in found[:_LISTED]:
            lines += ["", *_told(episode)]
        if len(found) > _LISTED:
            lines += ["", f"… and {len(found) - _LISTED} more; --json tells of all"]
        return "\n".join(lines)


def _rows(metrics: Mapping[str, Pair]) -> list[tuple[str, str, str]]:
    rows = []
    for name, pair in metrics.items():
        if pair.then != pair.now or (name in _ALWAYS and pair.then is not None):
            then, now = (value_text(column(name), value) for value in (pair.then, pair.now))
            rows.append((name, then, now))
    return rows


def _told(episode: EpisodeChanges) -> Iterator[str]:
    """Yield lines that describe a changed episode."""
    yield f"{episode.task_id}, trial {episode.trial}: {_score(episode)}"
    if episode.failure is not None:
        yield f"  not played again: {episode.failure}"
        return
    if episode.ending is not None:
        yield f"  {episode.ending}"
    if episode.task:
        yield f"  the task is different: {', '.join(episode.task)}"
    if episode.step is not None:
        yield f"  step {episode.step.step} is answered otherwise: {_short(episode.step.action)}"
        yield f"    then {_short(episode.step.result.then)}"
        yield f"    now  {_short(episode.step.result.now)}"
    if episode.paid is not None:
        yield f"  step {episode.paid} is paid otherwise"
    for name, pair in episode.terms.items():
        yield f"  {name}: {_number(pair.then)} then, {_number(pair.now)} now"
    if episode.score.then != episode.score.now and not episode.terms:
        yield "  the terms of the score are the same: its weights or penalties are others"
    for checkpoint in episode.checkpoints:
        yield from _checkpoint(checkpoint)
    if episode.other:
        yield f"  further fields that differ: {', '.join(episode.other)}"


def _score(episode: EpisodeChanges) -> str:
    then, now = episode.score.then, episode.score.now
    words = f"score {_number(then)} then, {_number(now)} now"
    if episode.success.now is not None and episode.success.then != episode.success.now:
        words += "; " + ("a success now" if episode.success.now else "no success now")
    return words


def _checkpoint(change: CheckpointChange) -> Iterator[str]:
    words = {True: "passed", False: "missed", None: "not there"}
    yield f"  {change.checkpoint}: {words[change.passed.then]} then, {words[change.passed.now]} now"
    if change.reason.then is not None:
        yield f"    then: {change.reason.then}"
    if change.reason.now is not None:
        yield f"    now:  {change.reason.now}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}".rstrip("0").removesuffix(".")


def _short(text: str) -> str:
    return textwrap.shorten(text, _SHOWN, placeholder=" …") if len(text) > _SHOWN and " " in text else text[:_SHOWN]
