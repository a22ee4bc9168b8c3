"""Observation of a training run for the GPU check, and rendering of the results."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from teller_gym.tables.markdown import markdown_text as escaped
from teller_gym.training.config.run import Config
from teller_gym.training.gpu_check.memory_meter import Meter
from teller_gym.training.gpu_check.synthetic_rows import SyntheticPool
from teller_gym.training.plan.memory import CONTEXT
from teller_gym.training.plan.model import GIB
from teller_gym.training.plan.planner import Planner
from teller_gym.training.run_folder.metrics_log import MetricsLog


class EnoughError(Exception):
    """Raised when all updates of a phase are done or its time is over."""


class Watch(MetricsLog):
    """Records the forward passes and updates of a training run.

    Ends the run by `EnoughError` after ``updates`` updates, or at the time ``end``, even within an update.
    """

    table: SyntheticPool | None = None
    """Environment pool of GRPO's rollouts."""

    def __init__(self, path: Path, phase: str, updates: int, end: float, meter: Meter) -> None:
        super().__init__(path)
        self.phase, self.updates, self.end, self.meter = phase, updates, end, meter
        self.passes: list[list[tuple[int, int]]] = [[]]
        """Rows and tokens of forward passes with gradients, for each update."""
        self.seconds: list[float] = []
        """Seconds of each update, without rollouts."""
        self.stopped = "error"
        self._since: float | None = None

    def look_at(self, model: Any) -> None:
        """Record the shape of every forward pass of a model, even through wrappers."""
        # Every forward pass uses the embeddings, and no recomputed layer precedes them.
        model.get_input_embeddings().register_forward_pre_hook(self._saw)

    def _saw(self, _: Any, given: tuple[torch.Tensor, ...]) -> None:
        if time.perf_counter() > self.end:
            self.stopped = "time"
            raise EnoughError
        if torch.is_grad_enabled():
            if self._since is None:
                self._since = self._now()
            rows, tokens = given[0].shape
            self.passes[-1].append((rows, tokens))

    def _now(self) -> float:
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        return time.perf_counter() - self.meter.rounds_seconds

    def write(self, phase: str, step: int, metrics: dict[str, Any]) -> None:
        """Count an update and record its metrics."""
        super().write(phase, step, metrics)
        now = self._now()
        self.seconds.append(now - (self._since or now))
        self._since = now
        if len(self.seconds) == self.updates:
            self.stopped = "updates"
            raise EnoughError
        self.passes.append([])


def error_of(problem: Exception) -> str | None:
    """Return the first line of an out-of-memory error, or None for `EnoughError`; raise all other exceptions."""
    if isinstance(problem, EnoughError):
        return None
    said = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
    if isinstance(problem, torch.OutOfMemoryError):
        return said
    raise problem


def planned_gib(config: Config, size: str, phase: str) -> float | None:
    """Return torch's planned peak memory during the updates of sft or grpo, or None for the toy size, which has no
    plan."""
    if size == "toy":
        return None
    phases = Planner(config)
    planned = phases.sft() if phase == "sft" else phases.updates()
    # Torch's peaks do not include CUDA's own memory.
    return (planned.needed - (CONTEXT if config.hardware.device == "cuda" else 0)) / GIB


def line_of(config: Config, size: str, watch: Watch, error: str | None, cap: float | None) -> dict[str, Any]:
    """Return a phase's result under the names that docs/train/gpu_check.md explains."""
    meter, done = watch.meter, len(watch.seconds)
    seen = [one for update in watch.passes for one in update]
    tokens = [sum(rows * length for rows, length in update) for update in watch.passes[:done]]
    # The first update waits for kernels and allocations.
    steady = slice(1, None) if done > 1 else slice(None)
    spent = sum(watch.seconds[steady])
    allocated, reserved = meter.peaks.get("updates", (None, None))
    rounds = watch.table.rounds if watch.table else []
    played = [one for rollouts in rounds for one in rollouts]
    return {
        "phase": watch.phase,
        "size": size,
        "lora": config.model.lora.rank,
        "card": torch.cuda.get_device_name(0) if torch.cuda.is_available() else "none",
        "cap_gib": cap,
        "peak_gib": _rounded(reserved),
        "allocated_gib": _rounded(allocated),
        "planned_gib": _rounded(planned_gib(config, size, watch.phase)),
        "rollouts_gib": _rounded(meter.peaks.get("rollouts", (None, None))[1]),
        "held_gib": _rounded(meter.share.count / GIB) if played else None,
        "longest_row": max((length for _, length in seen), default=None),
        "largest_pass": max((rows * length for rows, length in seen), default=None),
        "rollouts": len(rounds[0]) if rounds else None,
        "turns": round(statistics.fmean(one.turns for one in played), 1) if played else None,
        "updates": done,
        "stopped": watch.stopped,
        "seconds": round(spent / len(watch.seconds[steady]), 3) if done else None,
        "tokens_per_second": round(sum(tokens[steady]) / spent) if spent else None,
        "rollout_seconds": round(meter.rounds_seconds / len(rounds), 2) if rounds else None,
        "fits": False if error else True if done else None,
        "error": error,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def markdown(rows: Sequence[dict[str, Any]]) -> str:
    """Return the results of a check as a table of measured and planned figures."""
    heads = [
        "size", "trains", "phase", "card", "cap, GiB", "measured, GiB", "planned, GiB", "off by", "rollouts, GiB",
        "longest row", "s an update", "tokens/s", "fits",
    ]  # fmt: skip
    lines = [heads, ["---"] * len(heads)]
    for row in rows:
        peak, planned = row["peak_gib"], row["planned_gib"]
        off = f"{peak / planned - 1:+.0%}" if peak and planned else None
        cells = [
            row["size"], f"LoRA {row['lora']}" if row["lora"] else "all weights", row["phase"], row["card"],
            row["cap_gib"], "not measured" if peak is None else peak, planned, off, row["rollouts_gib"],
            row["longest_row"], row["seconds"], row["tokens_per_second"],
            {True: "yes", False: "no", None: "no update was made"}[row["fits"]],
        ]  # fmt: skip
        lines.append(["–" if cell is None else escaped(str(cell)) for cell in cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
