"""Metrics of a run as JSON lines, package versions, and the learning curve."""

from __future__ import annotations

import importlib.metadata
import json
import math
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from teller_gym.base.files import append_line, write_whole
from teller_gym.training.run_folder.progress import tell

PACKAGES = ("teller-gym", "torch", "trl", "transformers", "tokenizers", "peft", "accelerate", "datasets", "gymnasium")


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that affect training, or "absent" if not installed."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "absent"
    return found


def log_wandb(metrics: dict[str, Any]) -> None:
    """Log metrics to the current W&B run, if there is one."""
    if (wandb := sys.modules.get("wandb")) is not None and wandb.run is not None:
        wandb.log(metrics)


def finish_wandb() -> None:
    """Finish the W&B run of a trainer, if any, so that the next trainer starts its own."""
    if (wandb := sys.modules.get("wandb")) is not None and wandb.run is not None:
        wandb.finish()


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Return the rows of a JSON Lines file, or none if it does not exist.

    Damaged or truncated lines are skipped.
    """
    return (row for _, _, row in _lines(path) if row is not None)


def keep_rows(path: Path, wanted: Callable[[dict[str, Any]], bool] = lambda row: True) -> None:
    """Delete unwanted and damaged rows from a JSON Lines file, if it exists.

    Damaged lines are reported. An incomplete last line is deleted silently: a killed process leaves one, and its work
    is repeated.
    """
    lines = list(_lines(path))
    kept = [line for _, line, row in lines if row is not None and wanted(row)]
    damaged = [str(number) for number, line, row in lines if row is None and line.endswith(b"\n")]
    if damaged:
        which = f"line {damaged[0]} is" if len(damaged) == 1 else f"lines {', '.join(damaged[:9])} are"
        more = f" (of {len(damaged)})" if len(damaged) > 9 else ""
        tell(f"{path}: {which} damaged{more} and dropped")
    if len(kept) < len(lines):
        write_whole(path, b"".join(kept))


def _lines(path: Path) -> Iterator[tuple[int, bytes, dict[str, Any] | None]]:
    """Yield the number, bytes and row of each line.

    The row is None unless it is an object with a step number.
    """
    if not path.exists():
        return
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), start=1):
        try:
            row = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            row = None
        # A complete row without a line end would merge with the next one.
        whole = isinstance(row, dict) and type(row.get("step")) is int and line.endswith(b"\n")
        yield number, line, row if whole else None


class MetricsLog:
    """Appends metrics of all phases to ``metrics.jsonl``, one line per log call.

    A phase that continues from a checkpoint first deletes its lines after that checkpoint, so that no step appears
    twice.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)

    def write(self, phase: str, step: int, metrics: dict[str, Any]) -> None:
        """Append one line without non-finite numbers, since JSON has no NaN."""
        row = {key: value for key, value in metrics.items() if _finite(value)}
        append_line(self.path, json.dumps({"phase": phase, "step": step, **row}).encode() + b"\n")

    def mend(self) -> None:
        """Delete damaged and truncated lines before new ones are appended."""
        keep_rows(self.path)

    def begin(self, phase: str) -> None:
        """Delete the line with a phase's time, its only line at step 0, because the phase is repeated."""
        keep_rows(self.path, lambda row: row.get("phase") != phase or row["step"] > 0)

    def rewind(self, phase: str, step: int) -> None:
        """Delete a phase's lines after a step."""
        keep_rows(self.path, lambda row: row.get("phase") != phase or row["step"] <= step)

    def rows(self, phase: str | None = None) -> Iterator[dict[str, Any]]:
        """Return the rows of one phase, or of all phases if it is None.

        Damaged or truncated lines are skipped.
        """
        return (row for row in read_rows(self.path) if phase is None or row.get("phase") == phase)


def _finite(value: Any) -> bool:
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))


def draw_curve(log: MetricsLog, scores: Sequence[tuple[str, float, float, float]], path: Path) -> None:
    """Draw the learning curve as a PNG file.

    A score has the phase's name, its mean, and the bounds of its interval.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 3.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    sft, grpo = list(log.rows("sft")), list(log.rows("grpo"))
    _line(left, sft, "loss", "C0", "loss on the calls shown")
    twin = left.twinx()
    _line(twin, sft, "mean_token_accuracy", "C1", "token accuracy")
    # A run of fewer steps than `log_steps` has no loss to show.
    drawn = any(type(row.get("loss")) in (int, float) and row["loss"] > 0 for row in sft)
    left.set(title="Supervised fine-tuning", xlabel="step", yscale="log" if drawn else "linear")
    twin.set_ylim(0, 1)
    _line(middle, grpo, "rewards/score/mean", "C2", "mean score of the rollouts")
    _line(middle, grpo, "frac_reward_zero_std", "C7", "groups without signal")
    # Two lines share the axis, and the legend names them.
    middle.set(title="GRPO", xlabel="step", ylabel="", ylim=(0, 1))
    middle.xaxis.get_major_locator().set_params(integer=True)
    if grpo:
        middle.legend(fontsize="small")
    names = [name for name, *_ in scores]
    means = [mean for _, mean, *_ in scores]
    low = [max(0.0, mean - lower) for _, mean, lower, _ in scores]
    high = [max(0.0, upper - mean) for _, mean, _, upper in scores]
    right.bar(range(len(names)), means, yerr=[low, high], color="C4", capsize=4)
    right.set_xticks(range(len(names)), names)
    right.set(title="Held-out score, 95 % interval", ylim=(0, 1))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)


def _line(axes: Any, rows: Sequence[dict[str, Any]], key: str, color: str, label: str) -> None:
    points = [(row["step"], row[key]) for row in rows if type(row.get(key)) in (int, float)]
    axes.plot([x for x, _ in points], [y for _, y in points], color=color, label=label)
    axes.set_ylabel(label, color=color)
