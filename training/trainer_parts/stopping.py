"""Stops training early after a signal, and with an error if the loss or its gradient is not finite."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from transformers import TrainerCallback

from teller_gym.base.errors import PausedError, TellerError
from teller_gym.base.orderly import Wish, ends_itself
from teller_gym.training.processes.group import here
from teller_gym.training.run_folder.checksums import SUMS_FILE
from teller_gym.training.run_folder.metrics_log import finish_wandb


class DivergedError(TellerError):
    """Raised when the loss or its gradient is not finite; the update was not applied."""


class Stopper(TrainerCallback):
    """Makes a trainer save and stop after the step in which SIGTERM or SIGUSR1 reaches any of its processes.

    It never stops between the updates of a step.
    """

    def __init__(self, phase: str, folder: Path, updates: int = 1) -> None:
        self.phase = phase
        self.folder = folder
        self.updates = updates
        self.stopped = False
        self._wish = Wish()

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Handle the signals while the block trains.

        Raises:
            PausedError: a signal came; raised at the end of the block.
        """
        with ends_itself() as self._wish:
            yield
        if self.stopped:
            # The first process seals what all have saved; no process ends before that.
            here().gather(None)
            finish_wandb()
            number = self._wish.number
            by = "a signal to another process" if number is None else signal.Signals(number).name
            raise PausedError(f"{self.phase}: stopped by {by}; {saved(self.folder)}; the same command continues")

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Stop on all processes or on none, since a process that stopped by itself would leave the others waiting."""
        if state.global_step % self.updates == 0 and anywhere(self._wish.came):
            self.stopped = True
            control.should_save = control.should_training_stop = True
            # Metrics gathered since the last line would be lost.
            control.should_log = True


def anywhere(wanted: bool) -> bool:
    """Return True if ``wanted`` is true in any process; all processes must call this."""
    state = PartialState()
    if state.num_processes == 1:
        return wanted
    from accelerate.utils import reduce

    count: Any = reduce(torch.tensor(int(wanted), device=state.device), reduction="sum")
    return bool(count.item())


def saved(folder: Path) -> str:
    """Return a clause for error messages that names the newest complete checkpoint, or says that there is none."""
    sealed = [path.parent for path in folder.glob(f"checkpoint-*/{SUMS_FILE}")]
    if not sealed:
        return "no checkpoint was saved before"
    return f"{max(sealed, key=lambda path: int(path.name.rpartition('-')[2]))} is saved"


class FiniteTrainer:
    """Mixin that stops a trainer before an update whose loss or gradient is not finite.

    It precedes the trainer's class in the bases. The trainers of transformers would log the mean of earlier losses
    instead, and continue with NaN weights.
    """

    phase: str = ""
    """Name of the trainer's block in the configuration's ``method``."""
    args: Any
    state: Any

    def compute_loss(self, *given: Any, **named: Any) -> Any:
        """Return the loss computed by the trainer's class.

        Raises:
            DivergedError: the loss is not finite in one of the processes; raised in all of them.
        """
        found = super().compute_loss(*given, **named)  # type: ignore[misc]
        loss = found[0] if isinstance(found, tuple) else found
        if anywhere(not bool(torch.isfinite(loss.detach()).all())):
            raise self._diverged("loss")
        return found

    def _get_grad_norm(self, *given: Any, **named: Any) -> Any:
        norm = super()._get_grad_norm(*given, **named)  # type: ignore[misc]
        # The norm is that of the whole gradient, so it is equal in all processes.
        if norm is not None and not bool(torch.isfinite(torch.as_tensor(norm)).all()):
            raise self._diverged("length of the gradient")
        return norm

    def _diverged(self, what: str) -> DivergedError:
        finish_wandb()
        phase, rate, kept = self.phase, self.args.learning_rate, saved(Path(self.args.output_dir))
        return DivergedError(
            f"{phase}: the {what} of update {self.state.global_step + 1} is not a finite number; that update was not "
            f"made; {kept}. The same command would come to the same; try a lower "
            f"method.{phase}.learning_rate (the rate is {rate:g}) or more method.{phase}.warmup_steps, or "
            "model.dtype=float32 if it is not: the phase then begins anew, and its checkpoints are kept"
        )
