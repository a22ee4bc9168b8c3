"""Folders of finished runs as a study leaves them, without any training: reference agents replace checkpoints."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

import teller_gym
from teller_gym.training.study.plan import Job, Plan, plan

TASKS = 4
AGENTS = {
    "noop": ("noop", 0),
    "random": ("random", 0),
    "random again": ("random", 1),
    "skips": ("skip_to_decision", 0),
    "denies": ("always_deny", 0),
    "expert": ("expert", 0),
}
"""Replacements for checkpoints: agents and their seeds."""

RUNS = {
    ("first", 0): ["noop", "random", "skips"],
    ("first", 1): ["noop", "random again", "expert"],
    ("first", 2): ["noop", "denies", "denies"],
    ("second", 0): ["noop", "expert", "expert"],
    ("second", 1): ["noop", "denies", "random"],
}
"""Agents that replace the three phases, by variant and seed; the second variant's third seed is not finished."""

PHASES = ("untrained", "sft", "grpo")
POLICY = {("first", 0): "expert", ("first", 1): "skips", ("second", 0): "random"}
"""Reference agents that replace the last checkpoint on a further split."""


def evaluate(folder: Path) -> None:
    """Play every agent on both splits, with two trials on the first."""
    for name, (agent, seed) in AGENTS.items():
        for split, trials in (("heldout", 2), ("heldout_policy", 1)):
            teller_gym.evaluate(
                agent, "Teller-Loans-v0", split, n=TASKS, run_dir=folder / split / name, seed=seed, trials=trials,
                progress=False,
            )  # fmt: skip


def study_file(folder: Path, **changes: Any) -> Path:
    """Write a study of two variants."""
    values = {
        "about": "Which is better?",
        "config_name": "demo",
        "overrides": ["logger=none"],
        "variants": {"first": [], "second": ["reward=sparse"]},
        "splits": ["heldout", "heldout_policy"],
    }
    path = folder / "which.yaml"
    path.write_text(yaml.safe_dump(values | changes, sort_keys=False), "utf-8")
    return path


def fake(folder: Path, played: Path) -> Plan:
    """Lay out the runs of `RUNS` as the study of `study_file` would; return its plan."""
    found = plan(study_file(folder), [0, 1, 2], folder / "runs")
    for job in found.jobs:
        if (job.variant, job.seed) in RUNS:
            lay_out(job, played, RUNS[job.variant, job.seed])
    return found


def lay_out(job: Job, played: Path, agents: Sequence[str]) -> None:
    """Make a run's folder, with agents for its phases from the evaluations in a folder by split and agent."""
    run = job.folder / "run"
    reports = {"expert": report_of(played / "heldout" / "expert")}
    for phase, agent in zip(PHASES, agents, strict=True):
        shutil.copytree(played / "heldout" / agent, run / phase / "evaluation")
        reports[phase] = report_of(played / "heldout" / agent)
    if (job.variant, job.seed) in POLICY:
        agent = POLICY[job.variant, job.seed]
        shutil.copytree(played / "heldout_policy" / agent, job.folder / "splits" / "heldout_policy")
    result = json.dumps({"of": f"{TASKS} tasks of split heldout", "split": "heldout", "reports": reports})
    for path in (run / "result.json", job.folder / "result.json"):
        path.write_text(result)
    rows = [{"phase": "sft", "step": step, "loss": 1 / step} for step in range(1, 700)]
    rows.append({"phase": "sft", "step": 0, "phase_seconds": 12.5})
    (run / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (run / "versions.json").write_text('{"python": "3.11.0", "torch": "2.13.0"}')
    (job.folder / "command.json").write_text(json.dumps(list(job.words)))
    (job.folder / "processors.json").write_text('["An EPYC, AVX2, 2 cores"]')
    (job.folder / "cpu_seconds.json").write_text(json.dumps(3600.0 * (job.seed + 1)))


def report_of(folder: Path) -> Any:
    """Return an evaluation's report in the form that a run's result contains."""
    return json.loads((folder / "report.json").read_text("utf-8"))


def episodes(played: Path, split: str, agent: str) -> list[dict[str, Any]]:
    """Read the records of an evaluation without the package."""
    return [json.loads(line) for line in (played / split / agent / "episodes.jsonl").read_text("utf-8").splitlines()]
