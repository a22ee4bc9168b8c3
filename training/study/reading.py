"""Reads the results of a study's runs from the run folders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from teller_gym.evaluation.measures.sums import valid
from teller_gym.evaluation.records.episode import Episode, Turn
from teller_gym.evaluation.records.jsonl import read_json
from teller_gym.evaluation.records.run_folder import REPORT_FILE, RUN_FILE, load_run
from teller_gym.training.study.commands import RESULT_FILE, SECONDS_FILE
from teller_gym.training.study.plan import Job

RUN = "run"
COMMAND_FILE, PROCESSORS_FILE = "command.json", "processors.json"


@dataclass(frozen=True)
class Evaluation:
    """Evaluation results of a phase's checkpoint on a split.

    Attributes:
        episodes: valid episodes, without their texts.
        frozen: checksum of the frozen tasks by scenario; equal ids are equal tasks only with equal checksums.
        unseen: scenarios without training tasks.
    """

    phase: str
    split: str
    episodes: list[Episode]
    frozen: dict[str, str | None]
    unseen: tuple[str, ...]

    @property
    def scenarios(self) -> list[str]:
        """Scenarios of the played tasks, in task order."""
        return list(dict.fromkeys(one["scenario"] for one in self.episodes))


@dataclass(frozen=True)
class Run:
    """A study's finished run.

    Attributes:
        command: arguments of ``teller-gym`` that produced the run.
        of: description of the run's own evaluations.
        phases: the run's own evaluations, in training order.
        inherited: number of evaluations copied from the first variant's run.
        elsewhere: evaluations of the last checkpoint on the study's further splits, which may include the run's own.
        references: score of each reference agent by name.
        cpu_seconds: CPU time of all commands of the run.
        log: the run's metrics file.
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
        """The run's own evaluations of phases that were not copied from another run."""
        return self.phases[self.inherited :]

    @property
    def evaluations(self) -> list[Evaluation]:
        """All evaluations without duplicates, except those of inherited phases."""
        own = {(one.phase, one.split) for one in self.phases}
        return [*self.made, *(one for one in self.elsewhere if (one.phase, one.split) not in own)]


@dataclass(frozen=True)
class Read:
    """Finished runs of a study, and one line for each missing one."""

    runs: list[Run] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def of(self, variant: str) -> list[Run]:
        """Return a variant's finished runs in seed order."""
        return [run for run in self.runs if run.variant == variant]


def phases_of(run: Path) -> list[str]:
    """Return the evaluated phases of a finished run in order."""
    reports: dict[str, Any] = read_json(run / RESULT_FILE)["reports"]
    return [name for name in reports if (run / name / "evaluation" / RUN_FILE).exists()]


def further_splits(job: Job) -> dict[str, Path]:
    """Return the folders of a finished run's evaluations on other splits than its own, by split."""
    own = read_json(job.folder / RESULT_FILE)["split"]
    return {split: job.folder / "splits" / split for split in job.splits if split != own}


def read_all(jobs: Iterable[Job]) -> Read:
    """Read the finished runs, ordered by seed, and list the unfinished ones."""
    found = Read()
    for job in sorted(jobs, key=lambda job: job.seed):
        if not (job.folder / RESULT_FILE).exists():
            found.missing.append(f"{job.name}: not finished")
            continue
        found.runs.append(_read(job))
        found.missing.extend(
            f"{job.name}: split {split} is not played yet"
            for split, folder in further_splits(job).items()
            if not (folder / REPORT_FILE).exists()
        )
    return found


def _read(job: Job) -> Run:
    run, result = job.folder / RUN, read_json(job.folder / RESULT_FILE)
    reports: dict[str, Any] = result["reports"]
    names = phases_of(run)
    phases = [_evaluation(name, result["split"], run / name / "evaluation", reports[name]) for name in names]
    elsewhere, further = [], further_splits(job)
    for split in job.splits:
        if split not in further:
            elsewhere.append(phases[-1])
        elif (further[split] / REPORT_FILE).exists():
            elsewhere.append(_evaluation(names[-1], split, further[split], read_json(further[split] / REPORT_FILE)))
    stages = {name: report["stages"]["2"] for name, report in reports.items() if name not in names}
    return Run(
        variant=job.variant,
        seed=job.seed,
        command=tuple(read_json(job.folder / COMMAND_FILE)),
        of=result["of"],
        phases=phases,
        inherited=names.index(job.shared) + 1 if job.begins_with is not None and job.shared in names else 0,
        elsewhere=elsewhere,
        references={name: float(stage["metrics"]["score"]["value"] or 0.0) for name, stage in stages.items()},
        processors=tuple(read_json(job.folder / PROCESSORS_FILE)),
        versions=read_json(run / "versions.json"),
        cpu_seconds=float(read_json(job.folder / SECONDS_FILE)),
        log=run / "metrics.jsonl",
    )


def _evaluation(phase: str, split: str, folder: Path, report: dict[str, Any]) -> Evaluation:
    config, episodes, _ = load_run(folder)
    transfer = report["stages"]["2"].get("transfer")
    return Evaluation(
        phase=phase,
        split=split,
        episodes=[_light(one) for one in valid(episodes)],
        frozen={part["scenario"]: part.get("frozen_sha256") for part in config["parts"]},
        unseen=tuple(transfer["left_out"]) if transfer else (),
    )


def _light(episode: Episode) -> Episode:
    """Return an episode without its texts, which would take gigabytes of memory in a study."""
    trace: list[Turn] = [{**turn, "action": "", "result": "", "model": {}} for turn in episode["trace"]]
    return {**episode, "messages": [], "trace": trace}
