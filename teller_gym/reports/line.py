"""Rows of a run for a leaderboard, as JSON."""

from __future__ import annotations

import hashlib
from typing import Any

from teller_gym.evaluation.measures.labels import READINGS
from teller_gym.evaluation.measures.stage_report import StageReport
from teller_gym.reports.study import Run
from teller_gym.tables.model import json_values


def rows_of(run: Run) -> list[dict[str, Any]]:
    """Return the rows of a run as JSON values, one for each stage, the main one first."""
    return [_row(run, stage) for _, stage in sorted(run.report.stages.items(), reverse=True)]


def _row(run: Run, stage: StageReport) -> dict[str, Any]:
    config = run.report.config
    parts = [part for part in config["parts"] if part["stage"] == stage.stage]
    names = READINGS[stage.stage]
    shown = {
        "id": "+".join(dict.fromkeys(part["env"] for part in parts)),
        "agent": run.report.agent,
        "split": "+".join(dict.fromkeys(split for part in parts for split in part["splits"])),
        "stage": stage.stage,
        "tasks": sum(len(part["task_ids"]) for part in parts),
        "trials": config["trials"],
        "episodes": stage.counted,
        "invalid": stage.invalid,
        "not_played": stage.left,
        "metrics": json_values({name: stage.metrics[name] for name in names}),
        "teller_gym": config["teller_gym"],
        "frozen_sha256": _checksum(parts),
        "options": _same([part["options"] for part in parts]),
        "tools": _same([part["tools"] for part in parts]),
    }
    if stage.as_failures:
        shown["invalid_as_failures"] = json_values({name: stage.as_failures[name] for name in names})
    return shown


def _checksum(parts: list[dict[str, Any]]) -> str | None:
    """Return the SHA-256 of the frozen files; for several scenarios, one over their names and checksums."""
    sums = {part["scenario"]: part.get("frozen_sha256") for part in parts}
    if len(sums) == 1:
        return next(iter(sums.values()))
    return hashlib.sha256("".join(f"{name} {one}\n" for name, one in sorted(sums.items())).encode()).hexdigest()


def _same(values: list[Any]) -> Any:
    """Return the value that all parts share, or the list of values if they differ."""
    return values[0] if all(value == values[0] for value in values) else values
