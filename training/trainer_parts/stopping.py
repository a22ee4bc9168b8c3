"""Training that ends before its last step: when a signal asks for it, saved; and when its figures are no numbers."""

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
    """The loss or its gradient is no finite number; the update was not applied."""


class Stopper(TrainerCallback):
    """Lets a trainer save and stop after the step in which SIGTERM or SIGUSR1 came to any of its processes.

    Args:
        phase: the name that the message begins with.
        folder: of the trainer's checkpoints.
        updates: of a step; between them nothing is saved.
    """

    def __init__(self, phase: str, folder: Path, updates: int = 1) -> None:
        self.phase = phase
        self.folder = folder
        self.updates = updates
        self.stopped = False
        self._wish = Wish()

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Hear the signals while the block trains.

        Raises:
            PausedError: at its end, if one came.
        """
        with ends_itself() as self._wish:
            yield
        if self.stopped:
            # The first process seals what all have saved; nobody ends before it has.
            here().gather(None)
            finish_wandb()
            number = self._wish.number
            by = "a signal to another process" if number is None else signal.Signals(number).name
            raise PausedError(f"{self.phase}: stopped by {by}; {saved(self.folder)}; the same command continues")

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Decide together: a process that stopped alone would leave the others waiting for it."""
        if state.global_step % self.updates == 0 and anywhere(self._wish.came):
            self.stopped = True
            control.should_save = control.should_training_stop = True
            # What was gathered since the last line would be lost.
            control.should_log = True


def anywhere(wanted: bool) -> bool:
    """Whether it is so in any of the processes; all of them ask together."""
    state = PartialState()
    if state.num_processes == 1:
        return wanted
    from accelerate.utils import reduce

    count: Any = reduce(torch.tensor(int(wanted), device=state.device), reduction="sum")
    return bool(count.item())


def saved(folder: Path) -> str:
    """Say in a clause which of a trainer's checkpoints is the newest that was saved to its end."""
    sealed = [path.parent for path in folder.glob(f"checkpoint-*/{SUMS_FILE}")]
    if not sealed:
        return "no checkpoint was saved before"
    return f"{max(sealed, key=lambda path: int(path.name.rpartition('-')[2]))} is saved"


class FiniteTrainer:
    """Mixed in before a trainer's class: it stops before an update whose loss or gradient is no finite number.

    The trainers of transformers put the mean of earlier losses into the log in its place, and go on with weights that
    are none.
    """

    phase: str = ""
    """Block of the configuration's ``method`` that the trainer does."""
    args: Any
    state: Any

    def compute_loss(self, *given: Any, **named: Any) -> Any:
        """Return the loss of the trainer's class.

        Raises:
            DivergedError: in all processes, if it is no finite number in one of them.
        """
        found = super().compute_loss(*given, **named)  # type: ignore[misc]
        loss = found[0] if isinstance(found, tuple) else found
        if anywhere(not bool(torch.isfinite(loss.detach()).all())):
            raise self._diverged("loss")
        return found

    def _get_grad_norm(self, *given: Any, **named: Any) -> Any:
        norm = super()._get_grad_norm(*given, **named)  # type: ignore[misc]
        # Of the whole gradient, so it is the same in all processes.
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
