"""The recipe: expert data, supervised fine-tuning, GRPO, and an evaluation after each; what is finished is skipped."""

from __future__ import annotations

import contextlib
import os
import random
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.agents.chat import PromptStyle
from teller_gym.base.errors import InfrastructureError, OptionError, PausedError
from teller_gym.base.files import FolderLock
from teller_gym.base.orderly import ends_itself
from teller_gym.evaluation import Report, compare, load_report
from teller_gym.evaluation.records.run_folder import (
    REPORT_FILE,
    RUN_FILE,
    planned_keys,
    read_config,
    read_episodes,
    write_json,
)
from teller_gym.training.config.evaluation import task_count
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations import expert
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.demonstrations.expert import Trajectory, Wanted, collect, read
from teller_gym.training.launch import context_window
from teller_gym.training.launch.preflight import check_surroundings
from teller_gym.training.models.gpu_memory import chats, free_share
from teller_gym.training.models.load import (
    load_model,
    load_tokenizer,
    make_model,
    save_model,
    window_of,
)
from teller_gym.training.phases.sft_data import Encoding, examples
from teller_gym.training.plan.fit import expect_fit
from teller_gym.training.processes.group import ElsewhereError, here
from teller_gym.training.processes.isolate import evaluate_apart, give_back
from teller_gym.training.run_folder.checksums import SUMS_FILE, damage, set_aside
from teller_gym.training.run_folder.evaluation_spec import Played
from teller_gym.training.run_folder.metrics_log import MetricsLog, draw_curve, finish_wandb, versions
from teller_gym.training.run_folder.outcome import TRAINED, learned, verdict
from teller_gym.training.run_folder.settings_lock import checks_of, claim
from teller_gym.training.run_folder.status import kept
from teller_gym.training.run_folder.storage_errors import told
from teller_gym.training.run_folder.wandb_runs import begin_run
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import EXPERT_SEEDS_A_RUN
from teller_gym.training.trainer_parts.best_weights import BEST, Best

PHASES = ("untrained", *TRAINED)
"""Those that leave a checkpoint, in their order."""


class Recipe:
    """One run in its folder.

    The folder: ``config.json``, ``versions.json``, ``metrics.jsonl``, ``data/`` (expert trajectories), ``untrained/``,
    ``sft/`` and ``grpo/`` (each with ``checkpoint/``, ``trainer/`` and ``evaluation/``), ``references/``,
    ``result.json``, ``table.txt`` and ``curve.png``.

    Args:
        config: the run.
        plain: the same as plain data, for the folder.

    Raises:
        OptionError: the machine, the environment or the folder does not allow such a run.
    """

    def __init__(self, config: Config, plain: dict[str, Any]) -> None:
        expect_fit(config)
        check_surroundings(config)
        self.config = config
        self.plain = plain
        self.band = Band.parse(config.difficulty)
        self.mixture = Mixture.of(config.env.id, config.env.options)
        self.folder = Path(config.run_dir)
        self.log = MetricsLog(self.folder / "metrics.jsonl")
        self._at = self.folder
        """What is being written."""

    def run(self) -> dict[str, Any]:
        """Run the remaining steps; return the content of ``result.json``, nothing on all processes but the first.

        Raises:
            OptionError: the folder is another process's or holds what was made with other settings.
            StorageError: something cannot be written; the same call resumes from there once it can.
            ElsewhereError: another process of this run failed.
        """
        with told(lambda: self._at, self._safe):
            if not here().first:
                return self._follow()
            with here().leading(), contextlib.closing(FolderLock(self.folder, "run_dir")):
                return self._run()

    def _follow(self) -> dict[str, Any]:
        """Train along with the first process, which does all else."""
        self._set_up()
        # The first process hears the signals, too, and decides; between trainings this one lets them pass.
        with ends_itself():
            for phase in here().orders():
                try:
                    self._train(phase)
                except PausedError as error:
                    raise ElsewhereError(error) from error
        return {}

    def _run(self) -> dict[str, Any]:
        self._open()
        wanted = self.config.evaluation
        if not self.config.model.tiny and not self._checkpoint("untrained").exists():
            # An unavailable model, or one that is too small, is reported before the data is made for it.
            self._check_window(context_window.sample(self.config), load_tokenizer(self.config.model.name))
        reports = {name: self._play(name, name, self.folder / "references" / name) for name in wanted.references}
        self._phase("data", self._expert_path, self._data)
        self._phase("untrained model", self._checkpoint("untrained"), self._untrained)
        if wanted.untrained:
            reports["untrained"] = self._evaluate("untrained")
        for phase in self._wanted[1:]:
            self._phase(phase, self._checkpoint(phase), partial(self._improve, phase))
            reports[phase] = self._evaluate(phase)
        return self._conclude(reports)

    @property
    def _wanted(self) -> list[str]:
        """The phases that this run has, in their order."""
        method = self.config.method
        parts = {
            "sft": method.sft.trajectories, "rejection": method.rejection.rounds,
            "corrections": method.corrections.rounds, "grpo": method.grpo.steps,
        }  # fmt: skip
        return ["untrained", *(phase for phase, parts_of_it in parts.items() if parts_of_it)]

    def _before(self, phase: str) -> Path:
        """The checkpoint that a phase begins with."""
        return self._checkpoint(self._wanted[self._wanted.index(phase) - 1])

    def _open(self) -> None:
        """Prepare the folder; refuse one that holds another run."""
        claim(self.folder, self.plain, checks_of(self.config.model_dump(mode="json"), self.plain))
        write_json(self.folder / "versions.json", versions())
        self.log.mend()
        self._set_up()

    def _set_up(self) -> None:
        """Prepare the process."""
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

    def _phase(self, name: str, proof: Path, work: Callable[[], None]) -> None:
        """Do a phase unless the file or folder that it writes last is there, and whole."""
        self._at = proof.parent
        if proof.exists():
            why = self._damage(proof)
            if why is None:
                tell(f"{name}: done before, skipped ({proof})")
                return
            tell(f"{name}: {proof} is not whole ({why}); it is kept as {set_aside(proof).name}, and made again")
        begun = time.perf_counter()
        tell(f"{name} …")
        self.log.begin(name)
        begin_run(self.folder, self.config, name)
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

    def _damage(self, proof: Path) -> str | None:
        """Say what is wrong with what a phase left; None if it is whole."""
        if proof == self._expert_path:
            return expert.damage(proof, self._trajectories())
        # A checkpoint gets its name when it is sealed; one without checksums is of an earlier version.
        return damage(proof) if (proof / SUMS_FILE).exists() else None

    def _safe(self) -> str:
        """Say what is on disk, in a clause."""
        return kept(self.folder, {"data": self._expert_path, **{phase: self._checkpoint(phase) for phase in PHASES}})

    def _checkpoint(self, phase: str) -> Path:
        return self.folder / phase / "checkpoint"

    @property
    def _expert_path(self) -> Path:
        return self.folder / "data" / "expert.jsonl"

    def _data(self) -> None:
        sft, env, count = self.config.method.sft, self.config.env, self._trajectories()

        def report(number: int) -> None:
            if number % 1000 == 0 or number == count:
                tell(f"data {number}/{count} trajectories")

        wanted = Wanted(
            env.id, env.options, self.config.seed * EXPERT_SEEDS_A_RUN, sft.slips, sft.shortcuts,
            sft.drill_trajectories, self.band, sft.working,
        )  # fmt: skip
        collect(self._expert_path, wanted, count, report=report, processes=self.config.hardware.side_by_side)

    def _trajectories(self) -> int:
        """How many the run needs; a tiny model's tokenizer is made from some, also when there is no fine-tuning."""
        sft = self.config.method.sft
        needed = sft.drill_trajectories + sft.trajectories + sft.rare_trajectories
        return max(needed, self.config.model.shape.tokenizer_texts if self.config.model.tiny else 1)

    def _untrained(self) -> None:
        texts = (
            one for _, one in zip(range(self.config.model.shape.tokenizer_texts), read(self._expert_path), strict=False)
        )
        model, tokenizer = make_model(self.config, texts)
        if self.config.model.tiny:
            self._check_window(read(self._expert_path), tokenizer)
        save_model(model, tokenizer, self._checkpoint("untrained"))

    def _check_window(self, trajectories: Iterable[Trajectory], tokenizer: Any) -> None:
        style, sampled = PromptStyle.parse(self.config.model.prompt), list(islice(trajectories, context_window.SAMPLED))
        context_window.expect_continued(sampled, tokenizer, style)
        lengths = context_window.measure(sampled, tokenizer, style)
        for line in context_window.check_window(lengths, self.config, window_of(self.config)):
            tell(line)

    def _improve(self, phase: str) -> None:
        with here().calling(phase):
            model, tokenizer = self._train(phase)
        self._hand_on(phase, model, tokenizer)

    def _train(self, phase: str) -> tuple[Any, Any]:
        """Do a phase that trains, on all processes; return the model and its tokenizer."""
        return {"sft": self._fine_tuned, "grpo": self._reinforced}.get(phase, partial(self._in_rounds, phase))()

    def _in_rounds(self, phase: str) -> tuple[Any, Any]:
        from teller_gym.training.phases.rounds import Rounds

        return Rounds(phase, self.config, self._before(phase), self.log).train()

    def _fine_tuned(self) -> tuple[Any, Any]:
        from teller_gym.training.phases.sft import train_sft

        model, tokenizer = here().together(lambda: load_model(self._checkpoint("untrained"), self.config))
        short, whole = here().together(lambda: self._examples(tokenizer))
        model = train_sft(model, tokenizer, short, whole, self.config, self.folder / "sft" / "trainer", self.log)
        return model, tokenizer

    def _examples(self, tokenizer: Any) -> tuple[list[Example], list[Example]]:
        """Drills and whole conversations, in tokens."""
        sft = self.config.method.sft
        wanted = Encoding(
            self._expert_path, sft.drill_trajectories, sft.trajectories, sft.rare_trajectories, sft.drill_fields,
            sft.drill_record == "nested", PromptStyle.parse(self.config.model.prompt), self.mixture,
        )  # fmt: skip
        processes = self.config.hardware.side_by_side
        short, whole = examples(wanted, self._checkpoint("untrained"), tokenizer, processes)
        tokens = sum(len(example.ids) for example in whole)
        if here().first:
            tell(
                f"sft: {len(whole)} trajectories of {tokens / max(1, len(whole)):.0f} tokens, "
                f"longest {max((len(example.ids) for example in whole), default=0)}, after {len(short)} drills"
            )
        return short, whole

    def _reinforced(self) -> tuple[Any, Any]:
        from teller_gym.training.phases.grpo import train_grpo

        model, tokenizer = here().together(lambda: load_model(self._before("grpo"), self.config))
        folder = self.folder / "grpo"
        model = train_grpo(model, tokenizer, self.config, folder / "trainer", self.log, folder / "transcripts.jsonl")
        return model, tokenizer

    def _hand_on(self, phase: str, model: Any, tokenizer: Any) -> None:
        """Leave what a phase comes to: its best weights, if it was validated for that, else its last."""
        wanted = self.config.method.validation
        best = Best(phase, self.folder / phase / BEST)
        if not (wanted.steps(phase) and wanted.keep == "best" and best.hand_on(self._checkpoint(phase))):
            save_model(model, tokenizer, self._checkpoint(phase))

    def _evaluate(self, phase: str) -> Report:
        """Evaluate a phase's checkpoint."""
        model, hardware, wanted = self.config.model, self.config.hardware, self.config.evaluation
        options = {"max_new_tokens": model.turn_tokens, "max_tokens": model.total_tokens, "name": phase}
        options["temperature"] = wanted.temperature
        concurrency = wanted.concurrency
        if hardware.generation == "vllm":
            options |= {"engine": "vllm", "tensor_parallel_size": hardware.vllm_tensor_parallel}
        else:
            options["device"] = hardware.device
        if hardware.device == "cuda":
            concurrency, more = self._on_gpu(phase)
            options |= more
        return self._play(phase, str(self._checkpoint(phase)), self.folder / phase / "evaluation", options, concurrency)

    def _on_gpu(self, phase: str) -> tuple[int, dict[str, Any]]:
        """How many chats are played at once, and what of the GPU vLLM gets."""
        import torch
        from transformers import AutoConfig

        give_back()
        free, total = torch.cuda.mem_get_info()
        if self.config.hardware.generation == "vllm":
            return self.config.evaluation.concurrency, {"gpu_memory_utilization": free_share(free, total)}
        folder = self._checkpoint(phase)
        weights = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
        fitting = chats(AutoConfig.from_pretrained(folder), free - weights, self.config.model.total_tokens)
        return min(self.config.evaluation.concurrency, fitting), {}

    def _play(
        self, name: str, agent: str, folder: Path, options: dict[str, Any] | None = None, concurrency: int = 1
    ) -> Report:
        """Evaluate an agent, unless its report is there."""
        self._at = folder
        wanted, scenarios = self.config.evaluation, self.mixture.evaluated
        if (folder / RUN_FILE).exists():
            temperature = (options or {}).get("temperature", 0.0)
            count = task_count(wanted, scenarios, self.band)
            report = self._earlier(name, folder, Played(wanted.split, count, wanted.trials, temperature))
            if report is not None:
                return report
        tell(f"evaluation of {name} …")
        ids = None
        if not self.band.whole:
            ids = [one for name in scenarios for one in self.band.evaluated(name, wanted.split, wanted.episodes)]
        # A model on a GPU plays in a process of its own, which gives all memory back.
        apart = options is not None and self.config.hardware.device == "cuda"
        return (evaluate_apart if apart else teller_gym.evaluate)(
            agent,
            self.config.env.id,
            wanted.split,
            n=wanted.episodes if ids is None else None,
            task_ids=ids,
            run_dir=folder,
            trials=wanted.trials,
            concurrency=concurrency,
            seed=self.config.seed,
            env_kwargs=self.config.env.options,
            agent_kwargs=options,
        )

    def _earlier(self, name: str, folder: Path, wanted: Played) -> Report | None:
        """Return the report of a finished evaluation, None if there is something left to play.

        Args:
            name: of the agent.
            folder: of the evaluation.
            wanted: what it shall have played.
        """
        try:
            found = read_config(folder)
            played = Played.read(found)
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

    def _conclude(self, reports: dict[str, Report]) -> dict[str, Any]:
        """Draw, write and print what came out."""
        self._at = self.folder
        scores = [
            (phase, metric.value or 0.0, metric.low or 0.0, metric.high or 0.0)
            for phase in PHASES
            if phase in reports
            for metric in [reports[phase].metrics["score"]]
        ]
        draw_curve(self.log, scores, self.folder / "curve.png")
        table = compare(list(reports.values())).table()
        wanted, tasks = self.config.evaluation, next(iter(reports.values())).tasks
        of = str(Played(f"{wanted.split}{self.band}", tasks, wanted.trials, wanted.temperature))
        said = verdict(reports, of, self.log.rows("grpo"))
        (self.folder / "table.txt").write_text("\n".join([*said, table]) + "\n", "utf-8")
        trained = [phase for phase in PHASES if self._checkpoint(phase).exists()]
        result: dict[str, Any] = {
            "tasks": tasks,
            "of": of,
            "split": wanted.split,
            "difficulty": self.config.difficulty,
            "learned": learned(reports),
            "verdict": said,
            "checkpoint": str(self._checkpoint(trained[-1])),
            "curve": str(self.folder / "curve.png"),
            "reports": {name: report.to_dict() for name, report in reports.items()},
        }
        shown = Path(self.plain["run_dir"])
        paths = {name: str(shown / Path(result[name]).relative_to(self.folder)) for name in ("checkpoint", "curve")}
        write_json(self.folder / "result.json", result | paths)
        return result | {"table": table}


def tell(text: str) -> None:
    """Report progress on stderr."""
    print(text, file=sys.stderr, flush=True)


def seed_everything(seed: int) -> None:
    """Seed the generators of the training libraries; environments have their own."""
    from transformers import set_seed

    random.seed(seed)
    set_seed(seed)
