"""Training recipe: makes expert data, then trains and evaluates one phase after another, skipping finished parts."""

from __future__ import annotations

import contextlib
import os
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from teller_gym.base.errors import InfrastructureError, PausedError
from teller_gym.base.files import FolderLock
from teller_gym.base.orderly import ends_itself
from teller_gym.evaluation import Report, compare
from teller_gym.evaluation.records.run_folder import write_json
from teller_gym.training.config.run import Config
from teller_gym.training.models.load import load_tokenizer
from teller_gym.training.phases import registry
from teller_gym.training.phases.data_phase import UntrainedPhase
from teller_gym.training.phases.phase import Phase, Run, TrainedPhase
from teller_gym.training.processes.group import ElsewhereError, here
from teller_gym.training.processes.isolate import give_back
from teller_gym.training.run_folder.checksums import kept, set_aside
from teller_gym.training.run_folder.metrics_log import MetricsLog, draw_curve, finish_wandb, versions
from teller_gym.training.run_folder.progress import tell
from teller_gym.training.run_folder.storage_errors import told
from teller_gym.training.run_records.evaluations import EvaluationSpec, evaluate_agent, evaluate_checkpoint
from teller_gym.training.run_records.outcome import learned, verdict
from teller_gym.training.run_records.settings_lock import checks_of, claim
from teller_gym.training.run_records.wandb_runs import begin_run
from teller_gym.training.tasks.mixture import Mixture


class Recipe:
    """One training run in its folder; docs/train/running.md lists the files."""

    def __init__(self, config: Config, plain: dict[str, Any]) -> None:
        self.config = config
        self.plain = plain
        self.folder = Path(config.run_dir)
        self.mixture = Mixture.of(config.env.id, config.env.options)
        self.log = MetricsLog(self.folder / "metrics.jsonl")
        self._at = self.folder
        """File or folder that is being written."""

    def run(self) -> dict[str, Any]:
        """Run the remaining steps and return the content of ``result.json``.

        Processes other than the first return an empty dictionary.

        Raises:
            OptionError: another process uses the folder, or it has results that were made with other settings.
            StorageError: a file cannot be written; the same call resumes from there once it can.
            ElsewhereError: another process of this run failed.
        """
        with told(lambda: self._at, self._safe):
            if not here().first:
                return self._follow()
            with here().leading(), contextlib.closing(FolderLock(self.folder, "run_dir")):
                return self._run()

    def _follow(self) -> dict[str, Any]:
        """Train together with the first process, which does all other work."""
        self._set_up()
        # The first process receives the signals too, and decides; between trainings this one ignores them.
        with ends_itself():
            for name in here().orders():
                phase = registry.phase_named(name)
                assert isinstance(phase, TrainedPhase)
                try:
                    phase.train(self.seen_by(phase))
                except PausedError as error:
                    raise ElsewhereError(error) from error
        return {}

    def _run(self) -> dict[str, Any]:
        self._open()
        config, reports = self.config, {}
        if not config.model.tiny and not UntrainedPhase().proof(self.folder).exists():
            # An unavailable or unsuitable model is reported before data is made for it.
            load_tokenizer(config.model.name)
        run = self.seen_by(None)
        for name in config.evaluation.references:
            self._at = self.folder / "references" / name
            reports[name] = evaluate_agent(run, name, name, self._at)
        for phase in registry.wanted_phases(config):
            self._phase(phase, partial(phase.run, self.seen_by(phase)))
            if phase.trains or (phase.name == UntrainedPhase.name and config.evaluation.untrained):
                self._at = self.folder / phase.name / "evaluation"
                reports[phase.name] = evaluate_checkpoint(run, phase.name, phase.proof(self.folder), self._at)
        return self._conclude(reports)

    def seen_by(self, phase: Phase | None) -> Run:
        """Return the run for a phase, with the checkpoint of the previous phase."""
        before = None
        for one in registry.wanted_phases(self.config):
            if phase is None or one.name == phase.name:
                break
            before = one.proof(self.folder)
        return Run(self.config, self.folder, self.log, self.mixture, before)

    def _open(self) -> None:
        """Prepare the run folder, or raise an error if it holds another run."""
        claim(self.folder, self.plain, checks_of(self.config.model_dump(mode="json"), self.plain))
        write_json(self.folder / "versions.json", versions())
        self.log.mend()
        self._set_up()

    def _set_up(self) -> None:
        """Set W&B's environment variables and torch's threads for this process."""
        os.environ["WANDB_MODE"] = self.config.logger.wandb
        os.environ["WANDB_DIR"] = str(self.folder)
        os.environ["WANDB_PROJECT"] = self.config.logger.project
        os.environ.setdefault("WANDB_SILENT", "true")
        if self.config.hardware.device == "cpu":
            import torch

            from teller_gym.agents.sampling import keep_memory

            keep_memory()
            if self.config.hardware.threads:
                torch.set_num_threads(self.config.hardware.threads)

    def _phase(self, phase: Phase, work: Callable[[], None]) -> None:
        """Run a phase, unless its result exists and is complete."""
        name, proof = phase.name, phase.proof(self.folder)
        self._at = proof.parent
        if proof.exists():
            why = phase.damage(self.config, proof)
            if why is None:
                tell(f"{name}: done before, skipped ({proof})")
                return
            tell(f"{name}: {proof} is not whole ({why}); it is kept as {set_aside(proof).name}, and made again")
        begun = time.perf_counter()
        tell(f"{name} …")
        self.log.begin(name)
        begin_run(self.folder, self.config.logger, self.config.seed, name)
        try:
            work()
        except InfrastructureError as error:
            mended = f"{self._safe()}; once that is mended, the same command continues"
            raise InfrastructureError(f"{name}: {error}; {mended}") from error
        give_back()
        finish_wandb()
        seconds = time.perf_counter() - begun
        self.log.write(name, 0, {"phase_seconds": round(seconds, 1)})
        tell(f"{name}: done in {seconds:.0f} s")

    def _safe(self) -> str:
        """Return a clause for error messages that names the phases on disk."""
        return kept(self.folder, {phase.name: phase.proof(self.folder) for phase in registry.PHASES})

    def _conclude(self, reports: dict[str, Report]) -> dict[str, Any]:
        self._at = self.folder
        evaluated = [phase.name for phase in registry.PHASES if phase.name in reports]
        metrics = [(name, reports[name].metrics["score"]) for name in evaluated]
        scores = [(name, one.value or 0.0, one.low or 0.0, one.high or 0.0) for name, one in metrics]
        draw_curve(self.log, scores, self.folder / "curve.png")
        table = compare(list(reports.values()))
        wanted, tasks = self.config.evaluation, next(iter(reports.values())).tasks
        of = str(EvaluationSpec(f"{wanted.split}{self.config.band}", tasks, wanted.trials, wanted.temperature))
        said = verdict(reports, of, self.log.rows("grpo"))
        (self.folder / "table.txt").write_text("\n".join([*said, table]) + "\n", "utf-8")
        checkpoint = [path for phase in registry.PHASES if (path := phase.proof(self.folder)).exists()][-1]
        result: dict[str, Any] = {
            "tasks": tasks,
            "of": of,
            "split": wanted.split,
            "difficulty": self.config.difficulty,
            "learned": learned(reports),
            "verdict": said,
            "checkpoint": str(checkpoint),
            "curve": str(self.folder / "curve.png"),
            "reports": {name: report.to_dict() for name, report in reports.items()},
        }
        shown = Path(self.plain["run_dir"])
        paths = {name: str(shown / Path(result[name]).relative_to(self.folder)) for name in ("checkpoint", "curve")}
        write_json(self.folder / "result.json", result | paths)
        return result | {"table": table}


def seed_everything(seed: int) -> None:
    """Seed the random number generators of Python and the training libraries, but not those of environments."""
    from transformers import set_seed

    random.seed(seed)
    set_seed(seed)
