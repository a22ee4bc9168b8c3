"""What a study's runs came to, read from their folders alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from teller_gym.evaluation.measures.sums import valid
from teller_gym.evaluation.records.episode import Episode, Turn
from teller_gym.evaluation.records.jsonl import read_json
from teller_gym.evaluation.records.run_folder import REPORT_FILE, RUN_FILE, load_run
from teller_gym.training.study.commands import RESULT_FILE, SECONDS_FILE
from teller_gym.training.study.plan import Job

RUN, SPLITS = "run", "splits"
COMMAND_FILE, PROCESSORS_FILE = "command.json", "processors.json"


@dataclass(frozen=True)
class Evaluation:
    """What a checkpoint did on a split.

    Attributes:
        phase: of training, after which it was.
        split: that was played.
        episodes: valid ones, without what was said in them.
        frozen: checksum of the frozen tasks by scenario; ids mean the same tasks only within the same.
        unseen: scenarios that were not trained on.
    """

    phase: str
    split: str
    episodes: list[Episode]
    frozen: dict[str, str | None]
    unseen: tuple[str, ...]

    @property
    def scenarios(self) -> list[str]:
        """Those that were played, in the order of the tasks."""
        return list(dict.fromkeys(one["scenario"] for one in self.episodes))


@dataclass(frozen=True)
class Run:
    """A finished run of a study.

    Attributes:
        variant, seed: which.
        command: words of ``teller-gym`` that made it.
        of: what its own evaluations played, in words.
        phases: its own evaluations, in the order of training.
        inherited: how many of these it has taken over from the first variant's run.
        elsewhere: of its last checkpoint on the study's further splits, the run's own among them if it is one.
        references: score of each reference agent by name.
        processors: what it was played on.
        versions: of packages by name.
        cpu_seconds: processor time of all its commands.
        log: its metrics file.
    """

    variant: str
    seed: int
    command: tuple[str, ...]
    of: str
    phases: list[Evaluation]
    inherited: int
    elsewhere: list[Evaluation]
    references: dict[str, float]
    processors: tuple[str, ...]
    versions: dict[str, str]
    cpu_seconds: float
    log: Path

    @property
    def made(self) -> list[Evaluation]:
        """Its own evaluations of phases that it has made itself."""
        return self.phases[self.inherited :]

    @property
    def evaluations(self) -> list[Evaluation]:
        """All of them, each once, but for those of inherited phases."""
        own = {(one.phase, one.split) for one in self.phases}
        return [*self.made, *(one for one in self.elsewhere if (one.phase, one.split) not in own)]


@dataclass(frozen=True)
class Read:
    """What there is of a study: finished runs, and what is missing, a line each."""

    runs: list[Run] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def of(self, variant: str) -> list[Run]:
        """The finished runs of a variant, in the order of the seeds."""
        return [run for run in self.runs if run.variant == variant]


def phases_of(run: Path) -> list[str]:
    """Return the phases of a finished training that were evaluated, in their order."""
    reports: dict[str, Any] = read_json(run / RESULT_FILE)["reports"]
    return [name for name in reports if (run / name / "evaluation" / RUN_FILE).exists()]


def own_split(folder: Path) -> str:
    """Return the split that a finished run in its folder evaluated itself."""
    return str(read_json(folder / RESULT_FILE)["split"])


def split_folder(folder: Path, split: str) -> Path:
    """Return where a run's last checkpoint is evaluated on another split."""
    return folder / SPLITS / split


def read_all(jobs: Iterable[Job]) -> Read:
    """Read the runs that are finished, variant by variant in the order of their seeds, and name those that are not."""
    found = Read()
    for job in sorted(jobs, key=lambda job: job.seed):
        if not (job.folder / RESULT_FILE).exists():
            found.missing.append(f"{job.name}: not finished")
            continue
        found.runs.append(_read(job))
        own = own_split(job.folder)
        found.missing.extend(
            f"{job.name}: split {split} is not played yet"
            for split in job.splits
            if split != own and not (split_folder(job.folder, split) / REPORT_FILE).exists()
        )
    return found


def _read(job: Job) -> Run:
    run, result = job.folder / RUN, read_json(job.folder / RESULT_FILE)
    reports: dict[str, Any] = result["reports"]
    names = phases_of(run)
    phases = [_evaluation(name, result["split"], run / name / "evaluation", reports[name]) for name in names]
    elsewhere = []
    for split in job.splits:
        folder = split_folder(job.folder, split)
        if split == result["split"]:
            elsewhere.append(phases[-1])
        elif (folder / REPORT_FILE).exists():
            elsewhere.append(_evaluation(names[-1], split, folder, read_json(folder / REPORT_FILE)))
    stages = {name: report["stages"]["2"] for name, report in reports.items() if name not in names}
    return Run(
        variant=job.variant,
        seed=job.seed,
        command=tuple(json.loads((job.folder / COMMAND_FILE).read_text("utf-8"))),
        of=result["of"],
        phases=phases,
        inherited=names.index(job.shared) + 1 if job.begins_with is not None and job.shared in names else 0,
        elsewhere=elsewhere,
        references={name: float(stage["metrics"]["score"]["value"] or 0.0) for name, stage in stages.items()},
        processors=tuple(json.loads((job.folder / PROCESSORS_FILE).read_text("utf-8"))),
        versions=read_json(run / "versions.json"),
        cpu_seconds=float(json.loads((job.folder / SECONDS_FILE).read_text("utf-8"))),
        log=run / "metrics.jsonl",
    )


def _evaluation(phase: str, split: str, folder: Path, report: dict[str, Any]) -> Evaluation:
    config, episodes, _ = load_run(folder)
    transfer = report["stages"]["2"].get("transfer")
    return Evaluation(
        phase=phase,
        split=split,
        episodes=_light(valid(episodes)),
        frozen={part["scenario"]: part.get("frozen_sha256") for part in config["parts"]},
        unseen=tuple(transfer["left_out"]) if transfer else (),
    )


def _light(episodes: Sequence[Episode]) -> list[Episode]:
    """Episodes without their texts, of which a study would hold gigabytes."""
    found = []
    for one in episodes:
        light = one.copy()
        light["messages"], light["trace"] = [], [_short(turn) for turn in one["trace"]]
        found.append(light)
    return found


def _short(turn: Turn) -> Turn:
    short = turn.copy()
    short["action"], short["result"], short["model"] = "", "", {}
    return short
