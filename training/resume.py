"""Where processes resume together, and how they stop together with a checkpoint when they are asked to."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from transformers import TrainerCallback

from teller_gym.base.errors import OptionError, TellerError
from teller_gym.training.callbacks import last_checkpoint
from teller_gym.training.launch import STOP
from teller_gym.training.processes import ElsewhereError, here


class StoppedError(TellerError):
    """The run was asked to stop and has saved a checkpoint; the same command continues."""


def resume_point(folder: Path, phase: str) -> Path | None:
    """Return the trainer's checkpoint that all processes go on from, or None.

    Raises:
        OptionError: another number of processes has made it.
    """
    processes = here()

    def find() -> Path | None:
        checkpoint = last_checkpoint(folder, phase)
        makers = len(list(checkpoint.glob("rng_state_*.pth"))) or 1 if checkpoint else processes.count
        if makers != processes.count:
            # Batches would be skipped or taken twice, and shards do not fit.
            raise OptionError(
                f"hardware: {checkpoint} was made with {makers} training processes, and there are {processes.count}; "
                f"continue with as many, or remove {folder} to begin {phase} again"
            )
        return checkpoint

    return processes.led(find)


@contextmanager
def ending_at_request() -> Iterator[None]:
    """While the request to stop ends the run at once; what is being trained is saved first (`Stopping`)."""
    before = _on_request(_interrupt)
    try:
        yield
    finally:
        _on_request(before)


def _on_request(handler: Any) -> Any:
    """Set what the request to stop does; return what it did. Only a main thread can hear signals."""
    return signal.signal(STOP, handler) if threading.current_thread() is threading.main_thread() else None


def _interrupt(number: int, frame: FrameType | None) -> None:
    if here().first:  # and the others end with it
        raise KeyboardInterrupt


class Stopping(TrainerCallback):
    """Ends a training at the request of a signal, after the step under way and with a checkpoint.

    Args:
        phase: what is trained.
        updates: updates of a step; between them a checkpoint could not be continued.
    """

    def __init__(self, phase: str, updates: int = 1) -> None:
        self.phase = phase
        self._updates = updates
        self._asked = self._stopping = False
        self._before: Any = signal.SIG_DFL

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Listen for the signal."""
        self._before = _on_request(self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._asked = True

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Save and stop if any process was asked to; the signal reaches them at different times."""
        if state.global_step % self._updates == 0 and any(here().gather(self._asked)):
            self._stopping = control.should_save = control.should_training_stop = True

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """End, once the checkpoint is sealed."""
        if not self._stopping:
            return
        # The first process seals; nobody leaves before it has.
        here().gather(None)
        error = StoppedError(f"{self.phase} is saved at step {state.global_step}; the same command continues")
        raise error if here().first else ElsewhereError(error)

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Leave the signal to whoever had it."""
        _on_request(self._before)
