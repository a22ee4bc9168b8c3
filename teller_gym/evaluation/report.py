"""The report of one run: figures with their intervals, as a table, as JSON, as a picture."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from teller_gym.errors import OptionError

from .episodes import Episode, Status
from .metrics import Metric, by_group, pass_hat, summarise, valid
from .rundir import REPORT_FILE, EpisodeKey, write_json
from .tables import interval_text, metric_text, text_table

LABELS = {
    "score": "score",
    "accuracy": "accuracy",
    "checkpoints": "checkpoint score",
    "parameters": "parameter score",
    "tool_precision": "tool precision",
    "tool_recall": "tool recall",
    "tool_f1": "tool F1",
    "valid_calls": "valid calls",
    "steps": "steps",
    "prompt_tokens": "prompt tokens",
    "completion_tokens": "completion tokens",
}
"""What each metric is called where people read it."""

SHARES = ("score", "accuracy", "checkpoints", "parameters", "tool_precision", "tool_recall", "tool_f1", "valid_calls")
"""Metrics between 0 and 1 where more is better."""

COMPARED = ("score", "accuracy", "tool_precision", "tool_recall", "tool_f1", "valid_calls")
"""Scores that stand side by side for several runs."""

_GROUP_METRICS = ("score", "accuracy", "tool_f1")


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of a part of the episodes."""

    episodes: int
    metrics: dict[str, Metric]


@dataclass(frozen=True)
class Report:
    """What a run measured."""

    config: dict[str, Any]
    """What the run was, as in run.json."""
    planned: int
    """Episodes that the run is made of."""
    counted: int
    """Valid episodes: those the figures are over."""
    invalid: int
    """Episodes that broke down through no fault of the agent; in no figure."""
    metrics: dict[str, Metric]
    """Every metric with its 95 % bootstrap interval over tasks; shares of errors as `error_<kind>`."""
    pass_hat: dict[int, Metric]
    """pass^k by k."""
    groups: dict[str, dict[str, Group]]
    """By `outcome` of the right answer, and by branch at each decision point."""
    wall_s: float | None
    """Mean wall time of an episode in seconds. The one figure that another run of the same will not repeat."""
    played: int = field(default=0, compare=False)
    """Episodes that this call played; the others were there already."""

    @property
    def agent(self) -> str:
        """The agent's name."""
        return str(self.config["agent"]["name"])

    @property
    def splits(self) -> str:
        """The splits that the tasks are of, such as `heldout`."""
        # Of runs before it was written down, that of the env.
        return " + ".join(self.config.get("splits") or [self.config["env_options"]["split"]])

    @property
    def errors(self) -> dict[str, Metric]:
        """Share of the episodes that show each kind of error."""
        return {name[6:]: metric for name, metric in self.metrics.items() if name.startswith("error_")}

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values; times stand in `wall_s` alone."""
        return {
            "config": self.config,
            "planned": self.planned,
            "counted": self.counted,
            "invalid": self.invalid,
            "metrics": _dicts(self.metrics),
            "pass_hat": {str(k): metric.to_dict() for k, metric in self.pass_hat.items()},
            "groups": {
                name: {
                    branch: {"episodes": group.episodes, "metrics": _dicts(group.metrics)}
                    for branch, group in groups.items()
                }
                for name, groups in self.groups.items()
            },
            "wall_s": self.wall_s,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """Read what `to_dict` wrote."""
        return cls(
            config=dict(data["config"]),
            planned=data["planned"],
            counted=data["counted"],
            invalid=data["invalid"],
            metrics=_metrics(data["metrics"]),
            pass_hat={int(k): Metric.from_dict(metric) for k, metric in data["pass_hat"].items()},
            groups={
                name: {branch: Group(g["episodes"], _metrics(g["metrics"])) for branch, g in groups.items()}
                for name, groups in data["groups"].items()
            },
            wall_s=data["wall_s"],
        )

    @classmethod
    def load(cls, run_dir: str | os.PathLike[str]) -> Report:
        """Read the report of a run folder.

        Raises:
            OptionError: there is none, or it is damaged.
        """
        file = Path(run_dir) / REPORT_FILE
        if not file.exists():
            raise OptionError(f"{run_dir} has no {REPORT_FILE}: the run did not end, or this is no run folder")
        try:
            return cls.from_dict(json.loads(file.read_bytes()))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            told = f"{type(error).__name__}: {error}"
            raise OptionError(f"{file} is damaged ({told}); remove it and evaluate again") from None

    def save(self, run_dir: str | os.PathLike[str]) -> Path:
        """Write `report.json` into a folder; return its path."""
        file = Path(run_dir) / REPORT_FILE
        write_json(file, self.to_dict())
        return file

    def figure(self, path: str | os.PathLike[str]) -> Path:
        """Draw the report as a picture (PNG, or what the suffix says); return its path.

        Raises:
            MissingExtraError: matplotlib is not installed.
        """
        from .figures import draw_report

        return draw_report(self, Path(path))

    def table(self) -> str:
        """The report for a terminal."""
        rows = [[LABELS.get(name, name), metric_text(name, m), interval_text(name, m)] for name, m in self._shown()]
        rows += [[f"pass^{k}", metric_text("accuracy", m), interval_text("accuracy", m)] for k, m in self._passes()]
        if self.wall_s is not None:
            rows.append(["wall time an episode", f"{self.wall_s:.3g} s", ""])
        parts = [self.headline(), text_table(["", "mean", "95 % interval"], rows)]
        errors = [[kind, metric_text("error_", m), interval_text("error_", m)] for kind, m in self.errors.items()]
        parts.append(text_table(["error", "share of episodes", "95 % interval"], errors))
        if outcomes := self.groups.get("outcome"):
            body = [[name, str(group.episodes), *_cells(group.metrics)] for name, group in outcomes.items()]
            parts.append(text_table(["outcome", "episodes", *(LABELS[name] for name in _GROUP_METRICS)], body))
        return "\n\n".join(parts)

    def headline(self) -> str:
        """What was measured, in a line."""
        tasks, trials = len(self.config["task_ids"]), self.config["trials"]
        size = f"{tasks} tasks" + (f" × {trials} trials" if trials > 1 else "")
        gone = f", {self.invalid} invalid and left out" if self.invalid else ""
        left = self.planned - self.counted - self.invalid
        gone += f", {left} not played yet" if left else ""
        return f"{self.config['env']} · {self.splits} · {self.agent} · {size}{gone}"

    def _shown(self) -> list[tuple[str, Metric]]:
        return [(name, m) for name, m in self.metrics.items() if not name.startswith("error_") and m.value is not None]

    def _passes(self) -> list[tuple[int, Metric]]:
        return list(self.pass_hat.items()) if len(self.pass_hat) > 1 else []


def _cells(metrics: Mapping[str, Metric]) -> list[str]:
    return [f"{metric_text(name, metrics[name])} {interval_text(name, metrics[name])}" for name in _GROUP_METRICS]


def _dicts(metrics: Mapping[str, Metric]) -> dict[str, dict[str, float | None]]:
    return {name: metric.to_dict() for name, metric in metrics.items()}


def _metrics(data: Mapping[str, Any]) -> dict[str, Metric]:
    return {name: Metric.from_dict(metric) for name, metric in data.items()}


def make_report(
    config: dict[str, Any], episodes: Sequence[Episode], times: Mapping[EpisodeKey, float], *, played: int = 0
) -> Report:
    """Measure episodes.

    config: as in run.json. times: wall time of each episode in seconds.
    """
    seed = config["seed"]
    counted = valid(episodes)
    walls = [times[place] for episode in counted if (place := (episode["task_id"], episode["trial"])) in times]
    return Report(
        config=config,
        planned=len(config["task_ids"]) * config["trials"],
        counted=len(counted),
        invalid=sum(episode["status"] == Status.INVALID for episode in episodes),
        metrics=summarise(counted, seed=seed),
        pass_hat=pass_hat(counted, seed=seed),
        groups=_groups(counted, seed),
        wall_s=round(math.fsum(walls) / len(walls), 6) if walls else None,
        played=played,
    )


def _groups(episodes: Sequence[Episode], seed: int) -> dict[str, dict[str, Group]]:
    def by(group: Callable[[Episode], str | None]) -> dict[str, Group]:
        found = by_group(episodes, group, names=_GROUP_METRICS, seed=seed)
        return {branch: Group(size, metrics) for branch, (size, metrics) in found.items()}

    def by_branch(point: str) -> dict[str, Group]:
        return by(lambda episode: episode["branches"].get(point))

    points = sorted({point for episode in episodes for point in episode["branches"]})
    outcomes = by(lambda episode: episode["outcome"] or None)
    return ({"outcome": outcomes} if outcomes else {}) | {f"branch:{point}": by_branch(point) for point in points}
