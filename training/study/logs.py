"""The metrics files of a study's runs, thinned so that they can be kept beside its report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from teller_gym.base.files import write_whole
from teller_gym.training.run_folder.metrics_log import read_rows
from teller_gym.training.study.reading import Run

MOST_LINES = 300
"""Maximum number of lines kept of a run's metrics file."""
_SECONDS = "phase_seconds"


def write_logs(runs: Iterable[Run], folder: Path) -> None:
    """Write the metrics of each run into ``VARIANT-seed-N.jsonl``."""
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        lines = [json.dumps(row) for row in thinned(list(read_rows(run.log)))]
        text = "".join(f"{line}\n" for line in lines)
        write_whole(folder / f"{run.variant}-seed-{run.seed}.jsonl", text.encode(), synced=False)


def thinned(rows: Sequence[dict[str, Any]], most: int = MOST_LINES) -> list[dict[str, Any]]:
    """Return at most ``count`` rows in order: the times of phases, and evenly spaced others including both ends."""
    others = [number for number, row in enumerate(rows) if _SECONDS not in row]
    room = most - (len(rows) - len(others))
    if len(others) > room:
        others = [others[place * (len(others) - 1) // (room - 1)] for place in range(room)]
    kept = set(others)
    return [row for number, row in enumerate(rows) if number in kept or _SECONDS in row]
