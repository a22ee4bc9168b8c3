"""Pools of worker processes that never outlive the process that started them, even if it is killed."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 3
"""Parts submitted for each process before the first result is awaited."""


def cores() -> int:
    """Return the number of CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def workers(
    processes: int, begin: Callable[..., None] | None = None, arguments: Sequence[Any] = ()
) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of new processes. At the end of the block it waits for them; an exception kills them.

    Args:
        processes: maximum number of processes.
        begin: function that each process runs first; it and its arguments must be picklable.
        arguments: arguments of ``begin``.
    """
    before = set(active_children())
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(begin, tuple(arguments))
    )
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        _end([child for child in active_children() if child not in before])
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def in_order(pool: ProcessPoolExecutor, processes: int, work: Callable[[A], B], parts: Iterable[A]) -> Iterator[B]:
    """Run ``work`` on each part in the pool, and yield the results in the order of the parts.

    Args:
        pool: pool from `workers`.
        processes: number of its processes; at most `AHEAD` times as many results are kept.
        work: function that turns a part into its result.
        parts: inputs of ``work``.

    Raises:
        BrokenProcessPool: a process died.
        Exception: any exception that ``work`` raised, when the result of that part is due.
    """
    begun: deque[Future[B]] = deque()
    for part in parts:
        with deaf():
            begun.append(pool.submit(work, part))
        if len(begun) >= AHEAD * processes:
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()


@contextmanager
def deaf() -> Iterator[None]:
    """Start processes in this block that ignore Ctrl-C, so that this process receives it and ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The signal is blocked, which processes inherit, rather than ignored, so that one sent meanwhile is not lost.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(begin: Callable[..., None] | None, arguments: Sequence[Any]) -> None:
    """Put this process in its own process group, which ends with the parent, and run ``begin``."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
        threading.Thread(target=_end_with, args=(parent_process(),), daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _end_with(parent: BaseProcess | None) -> None:
    if parent is not None:
        parent.join()  # returns even if the parent was killed and could not end this process
        os.killpg(0, signal.SIGKILL)


def _end(children: Sequence[BaseProcess]) -> None:
    for child in children:
        try:
            if child.pid is not None and hasattr(os, "killpg") and os.getpgid(child.pid) == child.pid:
                os.killpg(child.pid, signal.SIGKILL)
            else:
                child.kill()
        except ProcessLookupError:
            pass  # it has already ended
