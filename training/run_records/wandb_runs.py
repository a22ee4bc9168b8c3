"""Weights & Biases runs of a run folder, which persist when the run is resumed.

There is one group per folder and one run per phase.
"""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

from teller_gym.evaluation.records.run_folder import write_json
from teller_gym.training.config.run import LoggerConfig
from teller_gym.training.phases.registry import trained_names
from teller_gym.training.run_folder.checksums import set_aside
from teller_gym.training.run_folder.progress import tell

RUNS_FILE = "wandb.json"
"""File in the run folder with the group name and the id of each phase's run."""


def runs_of(folder: Path, seed: int) -> dict[str, Any]:
    """Return a folder's group and runs, drawn once and stored in `RUNS_FILE`.

    Returns:
        ``{"group": name, "runs": {phase: id}}``.

    Raises:
        OSError: the file cannot be written.
    """
    path = folder / RUNS_FILE
    if path.exists():
        try:
            found = json.loads(path.read_text("utf-8"))
            ids = found["runs"]
            if isinstance(found["group"], str) and all(isinstance(ids[phase], str) for phase in trained_names()):
                return dict(found)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        tell(f"{path} is damaged; kept as {set_aside(path).name}, W&B begins new runs")
    # Drawn at random, since ids must differ between folders of the same name on other machines.
    runs = {
        "group": f"{folder.resolve().name}-seed{seed}-{secrets.token_hex(3)}",
        "runs": {phase: secrets.token_hex(6) for phase in trained_names()},
    }
    write_json(path, runs)
    return runs


def begin_anew(folder: Path, phase: str) -> None:
    """Assign a new W&B run to a phase that restarts with other settings."""
    path = folder / RUNS_FILE
    if path.exists():
        runs = runs_of(folder, 0)
        runs["runs"][phase] = secrets.token_hex(6)
        write_json(path, runs)


def begin_run(folder: Path, logger: LoggerConfig, seed: int, phase: str) -> None:
    """Start or continue a phase's W&B run, which its trainer then uses.

    Phases without training have no run.
    """
    mode = logger.wandb
    if mode == "disabled" or phase not in trained_names() or os.environ.get("RANK", "0") != "0":
        return
    import wandb

    # Passed as arguments, since wandb reads its environment variables only once per process.
    runs = runs_of(folder, seed)
    wandb.init(
        project=logger.project, dir=folder, mode=mode, name=phase, group=runs["group"], id=runs["runs"][phase],
        resume="allow",
        # Otherwise a run left open by an earlier failed phase in this process would be returned.
        reinit="finish_previous",
    )  # fmt: skip
