"""Training in rounds, in which the previous round's model plays fresh tasks and a trainer learns from the episodes.

On disk, for a phase such as ``rejection``: ``data/rejection-1.jsonl`` (episodes and lessons of the first round, see
`teller_gym.training.phases.lessons`) and ``rejection/trainer/round-1`` with the trainer's checkpoints during training,
and its final ``checkpoint``. A call continues with the first unfinished round: playing after the last
complete batch of episodes, training from the trainer's last checkpoint.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

from teller_gym.base.withheld import check
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.models.load import load_model, save_model
from teller_gym.training.phases.lessons import EXPERT, STUDENT, RoundFile, learned_tokens, lessons_of
from teller_gym.training.phases.round_data import Maker, make_apart
from teller_gym.training.phases.sft import train_sft
from teller_gym.training.processes.group import here
from teller_gym.training.processes.isolate import give_back
from teller_gym.training.rollouts.rollout import End
from teller_gym.training.run_folder.checksums import KEPT_CHECKPOINTS, SUMS_FILE, damage, file_sum
from teller_gym.training.run_folder.metrics_log import MetricsLog, log_wandb
from teller_gym.training.run_folder.progress import tell


class Rounds:
    """Plays and trains the rounds of one phase.

    It starts from the checkpoint ``before``; ``kind`` is the class of the phase's method.
    """

    def __init__(self, kind: Any, config: Config, before: Path, log: MetricsLog) -> None:
        self.kind, self.phase = kind, str(kind.name)
        self.config, self.before, self.log = config, before, log
        self._run_dir = Path(config.run_dir)
        self._maker = Maker(kind, config)
        self._desk, self._method = self._maker.desk, self._maker.method
        self._settings = self._method.settings

    def train(self) -> tuple[Any, Any]:
        """Run the remaining rounds on all processes and return the last model and its tokenizer.

        Raises:
            PausedError: a signal came; finished work is kept.
            LeakError: a task to learn from is in an evaluation split.
            InfrastructureError: every episode of a batch was invalid.
        """
        for number in range(here().led(self._done) + 1, self._settings.rounds + 1):
            self._round(number)
            give_back()
        return here().together(lambda: load_model(self._weights(self._settings.rounds), self.config))

    def _done(self) -> int:
        """Return the number of the last round with intact weights, or 0 if there is none."""
        rounds = range(self._settings.rounds, 0, -1)
        return next((number for number in rounds if damage(self._weights(number)) is None), 0)

    def _trainer(self, number: int) -> Path:
        return self._run_dir / self.phase / "trainer" / f"round-{number}"

    def _weights(self, number: int) -> Path:
        """Return a round's checkpoint, or the phase's initial checkpoint for round 0."""
        return self._trainer(number) / "checkpoint" if number else self.before

    def _round(self, number: int) -> None:
        begun = time.perf_counter()
        here().led(lambda: self._play(number))
        examples = here().together(lambda: self._examples(number))
        played = time.perf_counter()
        model, tokenizer = here().together(lambda: load_model(self._weights(number - 1), self.config))
        if len(examples) >= here().count:
            folder, name = self._trainer(number), f"{self.phase}-{number}"
            model = train_sft(model, tokenizer, [], examples, self._as_sft(), folder, self.log, phase=name)
        elif here().first:
            tell(f"{self.phase}: round {number} learns nothing: it has {len(examples)} conversations to learn from")
        seconds = {"seconds/playing": played - begun, "seconds/training": time.perf_counter() - played}
        here().led(lambda: self._keep(number, model, tokenizer, seconds))

    def _as_sft(self) -> Config:
        """Return the run's settings with a round's values as its fine-tuning settings."""
        settings, method = self._settings, self.config.method
        rates = {name: getattr(settings, name) for name in ("learning_rate", "lora_learning_rate", "warmup_steps")}
        whole = [method.sft.curriculum[0].model_copy(update={"share": 1.0, "max_tokens": None})]
        sft = method.sft.model_copy(update={**rates, "curriculum": whole})
        return self.config.model_copy(update={"method": method.model_copy(update={"sft": sft})})

    def _keep(self, number: int, model: Any, tokenizer: Any, seconds: dict[str, float]) -> None:
        """Write a round's log line and weights, and delete the files that only an interrupted round needs."""
        self._write(number, seconds)
        save_model(model, tokenizer, self._weights(number))
        for checkpoint in self._trainer(number).glob("checkpoint-*"):
            shutil.rmtree(checkpoint)
        if number > KEPT_CHECKPOINTS:
            shutil.rmtree(self._trainer(number - KEPT_CHECKPOINTS), ignore_errors=True)

    def _file(self, number: int) -> RoundFile:
        sums = self._weights(number - 1) / SUMS_FILE
        run = self.config.model_dump(mode="json", include={"seed", "env", "difficulty", "model"})
        made = {
            **self._settings.model_dump(mode="json"),
            "round": number,
            "patience": self._desk.limits.patience,
            # Only a hash of these, since settings may have been read from secret variables.
            "run": check(run),
            "student": file_sum(sums) if sums.exists() else "",
        }
        return RoundFile(self._run_dir / "data" / f"{self.phase}-{number}.jsonl", made)

    def _play(self, number: int) -> None:
        """Play a round, unless its finished file can be used."""
        file = self._file(number)
        fault = file.fault()
        if fault is None:
            return
        if not file.begun():
            if file.path.exists():
                kept = f"{file.path.name}.damaged"
                tell(f"{self.phase}: {file.path} cannot be used ({fault}); it is kept as {kept}, and made again")
            file.begin()
            # The trainer's earlier checkpoints learned other data.
            shutil.rmtree(self._trainer(number), ignore_errors=True)
        student = self._weights(number - 1)
        if self.config.hardware.device == "cuda":
            make_apart(self.kind, self.config, number, student, file)
        else:
            self._maker.make(number, student, file)

    def _examples(self, number: int) -> list[Example]:
        """Return a round's examples, repeated for its passes.

        Each task is checked against the evaluation splits again.
        """
        found = []
        for row in self._file(number).rows():
            self._desk.guard.check_fingerprint(row["scenario"], row["fingerprint"], row["task_id"])
            if not (self._method.control and row["source"] == STUDENT):
                found += [lesson.example() for lesson in lessons_of(row)]
        return found * self._settings.passes

    def _write(self, number: int, seconds: dict[str, float]) -> None:
        """Write a round's log line, replacing one from an interrupted call."""
        rows = self._file(number).rows()
        played = [row for row in rows if row["source"] == STUDENT]
        episodes = [one for row in played for one in row["episodes"]]
        invalid = sum(one["end"] == End.INVALID for one in episodes)
        found = self._method.figures(played)
        figures: dict[str, Any] = {
            "round": number,
            "episodes": len(episodes),
            "invalid": invalid / len(episodes),
            "kept": sum(len(row["lessons"]) for row in played),
            "tokens_learned": 0 if self._method.control else learned_tokens(rows, STUDENT),
            "tokens_learned_of_expert": learned_tokens(rows, EXPERT),
            **found,
            **{name: round(value, 1) for name, value in seconds.items()},
        }
        self.log.rewind(self.phase, number - 1)
        self.log.write(self.phase, number, figures)
        log_wandb({f"rounds/{name}": value for name, value in figures.items()})
        shown = [f"{name} {value:.3f}" for name, value in found.items()]
        tell(", ".join([f"{self.phase}: round {number}: {figures['kept']} of {len(episodes)} episodes kept", *shown]))
