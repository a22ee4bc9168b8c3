"""Runs of a report, read from their folders."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.measures.labels import STAGES
from teller_gym.evaluation.measures.paired import Paired, paired
from teller_gym.evaluation.measures.report import Report, make_report
from teller_gym.evaluation.measures.run_names import run_names
from teller_gym.evaluation.measures.sums import valid
from teller_gym.evaluation.records.episode import Episode, Times, key
from teller_gym.evaluation.records.reading import EpisodeKey, load_run, read_provenance
from teller_gym.reports.paper import Paper, paper
from teller_gym.tables.model import json_values


@dataclass(frozen=True)
class Run:
    """Run folder with its measurements."""

    name: str
    """Name shown in tables, unique within the study."""
    folder: Path
    report: Report
    episodes: list[Episode]
    times: dict[EpisodeKey, Times]
    provenance: list[dict[str, Any]]
    """Provenance records, one for each call that played episodes."""

    @property
    def left(self) -> int:
        """Number of episodes that have not been played yet."""
        return sum(stage.left for stage in self.report.stages.values())

    def wall_s(self, stage: int) -> float | None:
        """Return the mean wall time of a stage's valid episodes in seconds, or None if unknown."""
        found = [self.times.get(key(one)) for one in valid(self.episodes) if one["stage"] == stage]
        known = [times.wall_s for times in found if times is not None]
        return math.fsum(known) / len(known) if known else None

    def tasks(self, stage: int) -> frozenset[tuple[str, str, str | None]]:
        """Return the scenario, id and frozen file checksum of each task in a stage.

        Tasks that have not been played are included.
        """
        return frozenset(
            (part["scenario"], task_id, part.get("frozen_sha256"))
            for part in self.report.config["parts"]
            if part["stage"] == stage
            for task_id in part["task_ids"]
        )

    @property
    def scenarios(self) -> list[str]:
        """Scenarios of the run, in the order of its parts."""
        return list(dict.fromkeys(part["scenario"] for part in self.report.config["parts"]))


@dataclass(frozen=True)
class Study:
    """Runs of a report, with an optional baseline."""

    runs: list[Run]
    baseline: Run | None
    pairs: list[tuple[Run, Paired]]
    """Comparisons of each other run with the baseline, one for each common stage."""
    paper: Paper

    @property
    def counted(self) -> int:
        """Number of valid episodes in all runs."""
        return sum(stage.counted for run in self.runs for stage in run.report.stages.values())

    @property
    def other_tasks(self) -> bool:
        """True if runs have different tasks in the same stage."""
        return any(len({run.tasks(stage) for run in self.in_stage(stage)}) > 1 for stage in STAGES)

    def in_stage(self, stage: int) -> list[Run]:
        """Return the runs that include a stage."""
        return [run for run in self.runs if stage in run.report.stages]

    def to_dict(self) -> dict[str, Any]:
        """Return reports and comparisons as JSON values."""
        return {
            "runs": [
                {"name": run.name, "folder": str(run.folder), "left": run.left, **run.report.to_dict()}
                for run in self.runs
            ],
            "baseline": None if self.baseline is None else self.baseline.name,
            "pairs": [{"run": run.name, **json_values(one)} for run, one in self.pairs],
        }


def read_study(run_dirs: Sequence[str | os.PathLike[str]], baseline: str | os.PathLike[str] | None = None) -> Study:
    """Read run folders, finished or not.

    Args:
        baseline: folder of the run with which the others are compared; by default the first of several.

    Raises:
        OptionError: no folder is given, one is given twice or contains no run, or the baseline has different frozen
            files.
    """
    folders = [Path(one) for one in run_dirs]
    if not folders:
        raise OptionError("report: expected at least one run folder")
    twice = [str(folder) for folder, count in Counter(one.resolve() for one in folders).items() if count > 1]
    if twice:
        raise OptionError(f"report: expected each run folder once, got {', '.join(twice)} more than once")
    chosen = Path(baseline) if baseline is not None else folders[0] if len(folders) > 1 else None
    if chosen is not None and chosen.resolve() not in [folder.resolve() for folder in folders]:
        folders.append(chosen)
    loaded = [(folder, *load_run(folder)) for folder in folders]
    names = run_names([(folder, config) for folder, config, *_ in loaded])
    runs = [
        Run(name, folder, make_report(config, episodes, times), episodes, times, read_provenance(folder))
        for name, (folder, config, episodes, times) in zip(names, loaded, strict=True)
    ]
    first = next((run for run in runs if chosen is not None and run.folder.resolve() == chosen.resolve()), None)
    pairs = [] if first is None else [pair for run in runs if run is not first for pair in _pairs(run, first)]
    return Study(runs, first, pairs, paper())


def _pairs(run: Run, baseline: Run) -> list[tuple[Run, Paired]]:
    _check_data(run, baseline)
    stages = sorted(run.report.stages.keys() & baseline.report.stages.keys(), reverse=True)
    found = [paired(run.episodes, baseline.episodes, stage=stage, seed=run.report.config["seed"]) for stage in stages]
    return [(run, one) for one in found]


def _check_data(run: Run, baseline: Run) -> None:
    """Raise OptionError unless both runs have the same frozen files.

    Otherwise equal ids may mean different tasks.
    """

    def frozen(one: Run) -> dict[str, str | None]:
        return {part["scenario"]: part.get("frozen_sha256") for part in one.report.config["parts"]}

    ours, theirs = frozen(run), frozen(baseline)
    for scenario in ours.keys() & theirs.keys():
        if ours[scenario] != theirs[scenario]:
            raise OptionError(
                f"report: {run.folder} and {baseline.folder} were run over other frozen files of {scenario} "
                f"(frozen_sha256 differs), so their tasks cannot be compared; report them apart"
            )
