"""Report of a run: metrics with intervals, as tables and as JSON."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from teller_gym.agents.base import Prices
from teller_gym.base.files import disk
from teller_gym.evaluation.measures.answers import form_text
from teller_gym.evaluation.measures.failure_tables import failure_tables
from teller_gym.evaluation.measures.labels import SHARES, SHOWN, STAGES, SUCCESS, column, label
from teller_gym.evaluation.measures.office import office_table
from teller_gym.evaluation.measures.stage_report import Group, StageReport, measure_stage
from teller_gym.evaluation.measures.summary import readings_table, summary
from teller_gym.evaluation.measures.sums import valid
from teller_gym.evaluation.records.episode import Episode, Times, key
from teller_gym.evaluation.records.run_folder import REPORT_FILE, EpisodeKey, write_json
from teller_gym.tables.model import Column, Metric, Row, Table, interval_text, one_line, value_text
from teller_gym.tables.text import as_text, terminal_width

__all__ = ["Group", "Report", "StageReport", "make_report"]

_GROUPS = ("scenario", "split", "outcome", "difficulty")
_NAMED = 2
_ALWAYS = ("outcome",)
"""Groupings whose table is shown even if all episodes are in one group."""


@dataclass(frozen=True)
class Report:
    """Metrics and other measurements of a run.

    `metrics`, `groups` and similar properties refer to the main stage, which is 2 if it was played, else 1.
    """

    config: dict[str, Any]
    """Configuration of the run, as in run.json."""
    stages: dict[int, StageReport]
    """Measurements of each stage of the run."""
    wall_s: float | None
    """Mean wall time of a main-stage episode in seconds.

    It is the only value that differs between repetitions of a run.
    """
    played: int = field(default=0, compare=False)
    """Number of episodes that this call played; the others were already in the run folder."""

    @property
    def main(self) -> StageReport:
        """Measurements of stage 2 if it was played, otherwise of stage 1."""
        return self.stages[max(self.stages)]

    @property
    def agent(self) -> str:
        return str(self.config["agent"]["name"])

    @property
    def envs(self) -> list[str]:
        """Ids of the environments, without duplicates."""
        return list(dict.fromkeys(part["env"] for part in self.config["parts"]))

    @property
    def where(self) -> str:
        """Short description of the environments: their ids, or only their number if there are many."""
        envs = self.envs
        return " + ".join(envs) if len(envs) <= _NAMED else f"{len(envs)} environments"

    @property
    def splits(self) -> str:
        """Splits of the tasks, such as `heldout`, joined by ` + `."""
        return " + ".join(dict.fromkeys(split for part in self.config["parts"] for split in part["splits"]))

    @property
    def tasks(self) -> int:
        """Number of tasks over all stages."""
        return sum(len(part["task_ids"]) for part in self.config["parts"])

    @property
    def size(self) -> str:
        """Number of tasks as text, with the numbers by stage if there are several."""
        by_stage = {stage: one.planned // self.config["trials"] for stage, one in self.stages.items()}
        return f"{self.tasks} task{'s' * (self.tasks != 1)}{_apart(by_stage)}"

    @property
    def planned(self) -> int:
        """Number of episodes that the main stage should have when complete."""
        return self.main.planned

    @property
    def counted(self) -> int:
        """Number of valid episodes in the main stage."""
        return self.main.counted

    @property
    def invalid(self) -> int:
        """Number of main-stage episodes that failed through no fault of the agent."""
        return self.main.invalid

    @property
    def metrics(self) -> dict[str, Metric]:
        """Metrics of the main stage by name."""
        return self.main.metrics

    @property
    def pass_hat(self) -> dict[int, Metric]:
        """pass^k of the main stage, by k."""
        return self.main.pass_hat

    @property
    def groups(self) -> dict[str, dict[str, Group]]:
        """Metrics of the main stage by grouping and group."""
        return self.main.groups

    @property
    def errors(self) -> dict[str, Metric]:
        """Share of main-stage episodes with each type of error."""
        return self.main.errors

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON values, in which `wall_s` is the only time."""
        stages = {str(stage): report.to_dict() for stage, report in self.stages.items()}
        return {"config": self.config, "stages": stages, "wall_s": self.wall_s}

    def save(self, run_dir: str | os.PathLike[str]) -> Path:
        """Write `report.json` into a folder and return its path.

        Raises:
            StorageError: the file cannot be written.
        """
        file = Path(run_dir) / REPORT_FILE
        with disk(file, "every episode is safe"):
            write_json(file, self.to_dict())
        return file

    def __str__(self) -> str:
        return self.table()

    def table(self) -> str:
        """Format the report for a terminal: headline, failures, groups, errors and finally metrics."""
        several = len(self.stages) > 1
        parts = [self.headline()]
        for stage in sorted(self.stages, reverse=True):
            parts += [STAGES[stage]] if several else []
            parts += _stage_tables(self.stages[stage], self.wall_s if stage == max(self.stages) else None)
        told = self.told_defects()
        return "\n\n".join([*parts, "\n".join(told)] if told else parts)

    def summary(self) -> str:
        """Return a run's final lines: headline, key metrics by stage, and cost."""
        return "\n".join([self.headline(), *summary(self.stages)])

    def told_defects(self) -> list[str]:
        """Return lines that describe crashes of the package's own code on the agent's calls.

        The list is empty if nothing crashed.
        """
        crashes = [(crash, count) for one in self.stages.values() for crash, count in one.defects.items()]
        if not crashes:
            return []
        total = sum(count for _, count in crashes)
        calls = "1 call failed" if total == 1 else f"{total} calls failed"
        lines = [f"DEFECT: {calls} because something of ours crashed; they count as failed calls. Please report it:"]
        return lines + [f"  {count} × {one_line(crash)}" for crash, count in crashes]

    def headline(self) -> str:
        """Return a line with the run's environments, splits, agent and size."""
        trials = self.config["trials"]
        size = self.size + (f" × {trials} trials" if trials > 1 else "")
        invalid, left = (
            {stage: getattr(one, name) for stage, one in self.stages.items()} for name in ("invalid", "left")
        )
        gone = f", {sum(invalid.values())} invalid{_apart(invalid)} and left out" if any(invalid.values()) else ""
        gone += f", {sum(left.values())} not played yet{_apart(left)}" if any(left.values()) else ""
        return f"{self.where} · {self.splits} · {self.agent} · {size}{gone}"


def _apart(counts: Mapping[int, int]) -> str:
    """Format counts by stage in brackets, or return an empty string for fewer than two stages."""
    if len(counts) < 2:
        return ""
    return f" ({', '.join(f'stage {stage}: {count}' for stage, count in sorted(counts.items(), reverse=True))})"


def _stage_tables(report: StageReport, wall_s: float | None) -> list[str]:
    width, names = terminal_width(), SHOWN[report.stage]
    tables = [report.transfer.table(names)] if report.transfer is not None else []
    tables += [office_table(report.office)] if report.office else []
    for kind in _GROUPS:
        groups = report.groups.get(kind, {})
        if len(groups) > 1 or (groups and kind in _ALWAYS):
            columns = [Column(kind, "text"), Column("episodes", "int"), *map(column, names)]
            rows = [Row([name, g.episodes, *(g.metrics[n] for n in names)]) for name, g in groups.items()]
            tables.append(Table(columns, rows))
    if report.answers.malformed:
        forms = [[form, str(count), form_text(form)] for form, count in report.answers.malformed.items()]
        tables.append(Table.of_texts(["malformed call", "calls", "what it is"], forms, left=(0, 2)))
    if report.errors:
        errors = [_line(f"error_{kind}", metric) for kind, metric in report.errors.items()]
        tables.append(Table.of_texts(["error", "share of episodes", "95 % interval"], errors))
    tables.append(Table.of_texts(["", "mean", "95 % interval"], _means(report, wall_s)))
    told = report.answers.lines()
    first = [*filter(None, [readings_table(report)]), *(["\n".join(told)] if told else [])]
    failures = failure_tables(report.failures) if report.failures else []
    return [*first, *failures, *(as_text(table, width) for table in tables)]


def _means(report: StageReport, wall_s: float | None) -> list[list[str]]:
    rows = [
        _line(name, metric)
        for name, metric in report.metrics.items()
        # A score that does not apply is shown as a dash; missing token counts are left out.
        if not name.startswith("error_")
        and (metric.value is not None or (report.counted and name in SHARES[report.stage]))
    ]
    name = SUCCESS[report.stage]
    if (mean := report.macro.get(name)) is not None:
        rows.append(_line(name, mean, f"{label(name)}, mean over scenarios"))
    passes = report.pass_hat.items() if len(report.pass_hat) > 1 else ()
    rows += [_line("success", metric, f"pass^{k}") for k, metric in passes]
    return rows if wall_s is None else [*rows, ["wall time an episode", f"{wall_s:.3g} s", ""]]


def _line(name: str, metric: Metric, title: str = "") -> list[str]:
    """Return a table row with label, value and interval."""
    return [title or label(name), value_text(column(name), metric), interval_text(column(name), metric)]


def make_report(
    config: dict[str, Any], episodes: Sequence[Episode], times: Mapping[EpisodeKey, Times], *, played: int = 0
) -> Report:
    """Create the report for a run's episodes, given in any order.

    Args:
        config: the run's configuration, as in run.json.
        played: number of episodes that this call played.
    """
    planned: dict[int, int] = {}
    for part in config["parts"]:
        planned[part["stage"]] = planned.get(part["stage"], 0) + len(part["task_ids"]) * config["trials"]
    prices = config["agent"].get("prices")
    walls = [
        times[place].wall_s
        for episode in valid(episodes)
        if episode["stage"] == max(planned) and (place := key(episode)) in times
    ]
    return Report(
        config=config,
        stages={
            stage: measure_stage(
                stage,
                count,
                [episode for episode in episodes if episode["stage"] == stage],
                prices=None if prices is None else Prices(**prices),
                seed=config["seed"],
                unseen=[part["scenario"] for part in config["parts"] if part.get("unseen")],
            )
            for stage, count in sorted(planned.items())
        },
        wall_s=round(math.fsum(walls) / len(walls), 6) if walls else None,
        played=played,
    )
