"""The processes of a run: who leads, what all of them must know, and how an error of one ends all of them.

The first process makes data, evaluates and writes everything; the others wait for its orders and train along. What
they tell each other outside training goes over a group of its own on the processors: waiting for hours costs no card
anything, and a card's library does not take it for a hang.
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
"""So long a process waits for the first one, which may be evaluating; one that dies is noticed by the launcher."""
TRAINING_WAIT = timedelta(hours=2)
"""So long it waits within training: rollouts of one process may take longer than those of another."""

_KINDS: tuple[type[Exception], ...] = (OptionError, StorageError, InfrastructureError, PausedError, TellerError)


class ElsewhereError(Exception):
    """Another process failed, or was told to end the run, and tells of it; this one ends in silence.

    Args:
        error: what the other one raised, or the like of it.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class _Told(NamedTuple):
    """An exception on its way to other processes."""

    kind: int
    text: str

    @classmethod
    def of(cls, error: Exception) -> _Told:
        # One of a missing extra says itself what is missing; for the exit code it is a wrong setting.
        like = OptionError() if isinstance(error, MissingExtraError) else error
        kind = next((number for number, one in enumerate(_KINDS) if isinstance(like, one)), len(_KINDS))
        return cls(kind, str(error) if kind < len(_KINDS) else "".join(traceback.format_exception(error)))

    def error(self) -> Exception:
        return _KINDS[self.kind](self.text) if self.kind < len(_KINDS) else RuntimeError(self.text)


class Processes:
    """All processes of a run, seen from one of them.

    Attributes:
        index: of this process, from 0; the first one leads.
        count: how many there are.
    """

    def __init__(self, index: int = 0, count: int = 1, group: Any = None) -> None:
        self.index = index
        self.count = count
        self._group = group
        self._listening = count > 1
        """Whether the others wait for an order."""

    @property
    def first(self) -> bool:
        """Whether this process leads."""
        return self.index == 0

    def gather(self, value: T) -> list[T]:
        """Return the values of all processes by their index. All of them must call it."""
        if self.count == 1:
            return [value]
        from torch import distributed

        found: list[Any] = [None] * self.count
        distributed.all_gather_object(found, value, group=self._group)
        return found

    def join_lists(self, values: list[T]) -> list[T]:
        """Return the lists of all processes as one, in the order of the processes."""
        return [value for part in self.gather(values) for value in part]

    def together(self, work: Callable[[], T]) -> T:
        """Do something on every process; an error on one of them is raised on all.

        Raises:
            ElsewhereError: on all but the first process, which raises the error itself.
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
        """Do something on the first process alone; return what came of it on all. Errors as in `together`."""
        value = self.together(lambda: work() if self.first else None)
        return self._broadcast(value)  # type: ignore[no-any-return]

    @contextmanager
    def leading(self) -> Iterator[None]:
        """On the first process: while the others follow its `calling`; they end with it, in silence if it fails."""
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
        """On the first process: let the others do the work of that name along with the block."""
        if self.count > 1:
            self._broadcast(("do", name))
        self._listening = False
        yield
        self._listening = self.count > 1

    def orders(self) -> Iterator[str]:
        """On the others: the names of the work to do, until the first process ends.

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
        """Return what the first process gives."""
        if self.count == 1:
            return value
        from torch import distributed

        box = [value]
        distributed.broadcast_object_list(box, src=0, group=self._group)
        return box[0]


_here = Processes()


def here() -> Processes:
    """Return the processes of this run; one alone unless `join` was called."""
    return _here


def in_launch() -> bool:
    """Whether something has started this process as one of several."""
    return "RANK" in os.environ and "WORLD_SIZE" in os.environ


def join(hardware: HardwareConfig) -> Processes:
    """Take part in the launch that the environment tells of; without one, be alone.

    Raises:
        OptionError: other processes were started than the settings say; on all but the first as an ElsewhereError.
    """
    global _here
    if not in_launch():
        return _here
    index, count = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if count != hardware.processes:
        error = OptionError(
            f"hardware: {hardware.nodes - hardware.vllm_nodes} training nodes with {hardware.cards} cards each are "
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
    """End what `join` began, when all processes are done."""
    global _here
    if _here.count > 1:
        from torch import distributed

        distributed.destroy_process_group()
        _here = Processes()
