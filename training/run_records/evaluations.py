"""Evaluations in a run: reference agents, and a checkpoint after each phase."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.evaluation import Report, load_report
from teller_gym.evaluation.records.run_folder import REPORT_FILE, RUN_FILE, planned_keys, read_config, read_episodes
from teller_gym.training.config.evaluation import task_count
from teller_gym.training.models.gpu_memory import chats, free_share
from teller_gym.training.phases.phase import Run
from teller_gym.training.processes.isolate import evaluate_apart, give_back
from teller_gym.training.run_folder.checksums import set_aside
from teller_gym.training.run_folder.progress import tell


@dataclass(frozen=True)
class EvaluationSpec:
    """Tasks and trials that distinguish an evaluation from others.

    The temperature is 0 for agents other than models.
    """

    split: str
    tasks: int
    trials: int
    temperature: float

    @classmethod
    def read(cls, found: dict[str, Any]) -> EvaluationSpec:
        """Return the specification that an evaluation's configuration describes."""
        parts = found["parts"]
        temperature = found["agent"].get("options", {}).get("temperature", 0.0)
        tasks = sum(len(part["task_ids"]) for part in parts)
        return cls(parts[0]["options"]["split"], tasks, found["trials"], temperature)

    def __str__(self) -> str:
        times = f", each {self.trials} times" if self.trials > 1 else ""
        return f"{self.tasks} tasks of split {self.split}{times}" + (
            f", at temperature {self.temperature:g}" if self.temperature else ""
        )


def evaluate_checkpoint(run: Run, phase: str, checkpoint: Path, folder: Path) -> Report:
    """Evaluate a phase's checkpoint under the phase's name and return the report, unless a report already exists."""
    model, hardware, wanted = run.config.model, run.config.hardware, run.config.evaluation
    options = {"max_new_tokens": model.turn_tokens, "max_tokens": model.total_tokens, "name": phase}
    options["temperature"] = wanted.temperature
    concurrency = wanted.concurrency
    if hardware.generation == "vllm":
        options |= {"engine": "vllm", "tensor_parallel_size": hardware.vllm_tensor_parallel}
    else:
        options["device"] = hardware.device
    if hardware.device == "cuda":
        concurrency, more = _on_gpu(run, checkpoint)
        options |= more
    return evaluate_agent(run, phase, str(checkpoint), folder, options, concurrency)


def _on_gpu(run: Run, checkpoint: Path) -> tuple[int, dict[str, Any]]:
    """Return the number of chats to play at once, and the option for vLLM's memory share."""
    import torch
    from transformers import AutoConfig

    give_back()
    free, total = torch.cuda.mem_get_info()
    if run.config.hardware.generation == "vllm":
        return run.config.evaluation.concurrency, {"gpu_memory_utilization": free_share(free, total)}
    weights = sum(path.stat().st_size for path in checkpoint.glob("*.safetensors"))
    fitting = chats(AutoConfig.from_pretrained(checkpoint), free - weights, run.config.model.total_tokens)
    return min(run.config.evaluation.concurrency, fitting), {}


def evaluate_agent(
    run: Run, name: str, agent: str, folder: Path, options: dict[str, Any] | None = None, concurrency: int = 1
) -> Report:
    """Evaluate an agent and return the report, which may already exist.

    Only models have options.

    Raises:
        OptionError: the folder has an evaluation of other tasks, or cannot be read.
    """
    wanted, scenarios = run.config.evaluation, run.mixture.evaluated
    if (folder / RUN_FILE).exists():
        temperature = (options or {}).get("temperature", 0.0)
        count = task_count(wanted, scenarios, run.config.band)
        report = _earlier(name, folder, EvaluationSpec(wanted.split, count, wanted.trials, temperature))
        if report is not None:
            return report
    tell(f"evaluation of {name} …")
    ids = None
    if not run.config.band.whole:
        ids = [one for name in scenarios for one in run.config.band.evaluated(name, wanted.split, wanted.n)]
    # A model on a GPU plays in a process of its own, which gives all memory back.
    apart = options is not None and run.config.hardware.device == "cuda"
    return (evaluate_apart if apart else teller_gym.evaluate)(
        agent,
        run.config.env.id,
        wanted.split,
        n=wanted.n if ids is None else None,
        task_ids=ids,
        run_dir=folder,
        trials=wanted.trials,
        concurrency=concurrency,
        seed=run.config.seed,
        env_kwargs=run.config.env.options,
        agent_kwargs=options,
    )


def _earlier(name: str, folder: Path, wanted: EvaluationSpec) -> Report | None:
    """Return the report of a finished evaluation, or None if some episodes remain to be played."""
    try:
        found = read_config(folder)
        played = EvaluationSpec.read(found)
        finished = (folder / REPORT_FILE).exists() and len(read_episodes(folder, found)) == len(planned_keys(found))
    except OptionError as error:
        raise OptionError(f"{error}. Or remove {folder}, and the same command evaluates {name} again") from error
    if played != wanted:
        if finished:
            raise OptionError(f"{folder} has {played}; remove it to evaluate on {wanted}")
        aside = set_aside(folder, ".earlier")
        tell(f"evaluation of {name}: begun on {played}, which are kept in {aside}")
    if not finished:
        return None
    tell(f"evaluation of {name}: done before, skipped ({folder})")
    return load_report(folder)
