"""Group of training processes with a leader, shared values, and errors that end all processes.

The first process makes data, evaluates and writes everything; the others wait for its orders and train with it. Outside
training they communicate over a separate group on the CPU: waiting for hours costs no GPU time, and NCCL does not take
it for a hang.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

from teller_gym.base.errors import (
    InfrastructureError,
    MissingExtraError,
    OptionError,
    PausedError,
    StorageError,
    TellerError,
)
from teller_gym.training.config.hardware import HardwareConfig

T = TypeVar("T")

WAIT = timedelta(days=7)
"""Maximum time that a process waits for the first one, which may be evaluating; the launcher detects dead processes."""
TRAINING_WAIT = timedelta(hours=2)
"""Maximum waiting time during training, since some processes' rollouts take longer than others'."""

_KINDS: tuple[type[Exception], ...] = (OptionError, StorageError, InfrastructureError, PausedError, TellerError)


class ElsewhereError(Exception):
    """Raised when another process failed or was asked to stop the run.

    That process reports its error; this one ends silently.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class _Told(NamedTuple):
    """Exception in serialized form, to be sent to other processes."""

    kind: int
    text: str

    @classmethod
    def of(cls, error: Exception) -> _Told:
        # The message of a MissingExtraError is complete; its exit code is that of a wrong setting.
        like = OptionError() if isinstance(error, MissingExtraError) else error
        kind = next((number for number, one in enumerate(_KINDS) if isinstance(like, one)), len(_KINDS))
        return cls(kind, str(error) if kind < len(_KINDS) else "".join(traceback.format_exception(error)))

    def error(self) -> Exception:
        return _KINDS[self.kind](self.text) if self.kind < len(_KINDS) else RuntimeError(self.text)


class Processes:
    """All processes of a run, from the view of process ``index``; process 0 leads."""

    def __init__(self, index: int = 0, count: int = 1, group: Any = None) -> None:
        self.index = index
        self.count = count
        self._group = group
        self._listening = count > 1
        """True while the other processes wait for an order."""

    @property
    def first(self) -> bool:
        return self.index == 0

    def gather(self, value: T) -> list[T]:
        """Return the values of all processes in the order of their indices; all processes must call it."""
        if self.count == 1:
            return [value]
        from torch import distributed

        found: list[Any] = [None] * self.count
        distributed.all_gather_object(found, value, group=self._group)
        return found

    def join_lists(self, values: list[T]) -> list[T]:
        """Return the concatenated lists of all processes, in the order of their indices."""
        return [value for part in self.gather(values) for value in part]

    def together(self, work: Callable[[], T]) -> T:
        """Run ``work`` on every process; an error on one of them is raised on all.

        Raises:
            ElsewhereError: on all processes except the first, which raises the error itself.
        """
        if self.count == 1:
            return work()
        error: Exception | None = None
        value: Any = None
        try:
            value = work()
        except Exception as problem:
            error = problem
        errors = self.gather(None if error is None else _Told.of(error))
        told = next((one for one in errors if one is not None), None)
        if told is None:
            return value  # type: ignore[no-any-return]
        self._listening = False
        if self.first:
            raise error or told.error()
        raise ElsewhereError(told.error()) from None

    def led(self, work: Callable[[], T]) -> T:
        """Run ``work`` on the first process and return its result on all; errors are handled as in `together`."""
        value = self.together(lambda: work() if self.first else None)
        return self._broadcast(value)  # type: ignore[no-any-return]

    @contextmanager
    def leading(self) -> Iterator[None]:
        """Lead the other processes, which follow `calling`, during the block.

        They end with the block, silently if it fails.
        """
        try:
            yield
        except BaseException as error:
            if self._listening:
                told = error if isinstance(error, Exception) else TellerError("interrupted")
                self._broadcast(("failed", _Told.of(told)))
            raise
        if self._listening:
            self._broadcast(("end", None))

    @contextmanager
    def calling(self, name: str) -> Iterator[None]:
        """On the first process, make the other processes do the named work while the block runs."""
        if self.count > 1:
            self._broadcast(("do", name))
        self._listening = False
        yield
        self._listening = self.count > 1

    def orders(self) -> Iterator[str]:
        """Yield the names of the work to do until the first process ends.

        For use on the other processes.

        Raises:
            ElsewhereError: the first process failed.
        """
        while True:
            what, told = self._broadcast(("", None))
            if what == "end":
                return
            if what == "failed":
                raise ElsewhereError(told.error())
            yield told

    def _broadcast(self, value: Any) -> Any:
        if self.count == 1:
            return value
        from torch import distributed

        box = [value]
        distributed.broadcast_object_list(box, src=0, group=self._group)
        return box[0]


_here = Processes()


def here() -> Processes:
    """Return the processes of this run, which is a single one unless `join` was called."""
    return _here


def in_launch() -> bool:
    """Return True if this process was started as one of several."""
    return "RANK" in os.environ and "WORLD_SIZE" in os.environ


def join(hardware: HardwareConfig) -> Processes:
    """Join the launch described by the environment variables, or run as a single process without one.

    Raises:
        OptionError: the number of processes differs from the settings; all but the first raise an ElsewhereError.
    """
    global _here
    if not in_launch():
        return _here
    index, count = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if count != hardware.processes:
        error = OptionError(
            f"hardware: {hardware.training_nodes} training nodes with {hardware.cards} cards each are "
            f"{hardware.processes} processes, and {count} were started; start as many, or change hardware.cards or "
            "hardware.nodes"
        )
        raise error if index == 0 else ElsewhereError(error)
    if count == 1:
        return _here
    from accelerate import PartialState
    from torch import distributed

    os.environ.update(hardware.environment())
    PartialState(cpu=hardware.device == "cpu", timeout=TRAINING_WAIT)
    _here = Processes(index, count, distributed.new_group(backend="gloo", timeout=WAIT))
    return _here


def leave() -> None:
    """Close the group opened by `join` when all processes are done."""
    global _here
    if _here.count > 1:
        from torch import distributed

        distributed.destroy_process_group()
        _here = Processes()
