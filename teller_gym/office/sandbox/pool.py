"""Pool of worker processes that run code, each for one run."""

from __future__ import annotations

import atexit
import os
import threading
from typing import TYPE_CHECKING, Final

from teller_gym.base.errors import InfrastructureError, MissingExtraError

if TYPE_CHECKING:
    from pydantic_monty import Monty

_AT_ONCE: Final = 8
"""Maximum number of simultaneous runs in this process. Additional threads wait."""

_GRACE: Final = 1.0
"""Seconds after the time limit at which a process that did not stop by itself is killed."""

_lock = threading.Lock()
_pool: Monty | None = None
_abandoned: list[Monty] = []
"""Pools inherited by a fork, whose threads are not in this process.

A second pool beside an inherited one hangs, and closing an inherited pool would end the parent's workers.
"""


def pool() -> Monty:
    """Return this process's pool, which is opened at the first call and closed when Python exits.

    A worker serves one run, so that runs do not affect each other.

    Raises:
        MissingExtraError: pydantic-monty, or its program that runs code, is not installed.
        InfrastructureError: this process was forked from one that had run code.
    """
    global _pool
    with _lock:
        if _abandoned:
            raise InfrastructureError(
                "code cannot be run in a process that was forked from one that had run code; start processes by spawn "
                "or forkserver, or run no code before the fork"
            )
        if _pool is None:
            try:
                from pydantic_monty import Monty

                opened = Monty(
                    min_processes=1,
                    max_processes=_AT_ONCE,
                    max_checkouts_per_worker=1,
                    feed_duration_limit_grace=_GRACE,
                )
                opened.__enter__()
            except (ImportError, FileNotFoundError) as error:
                raise MissingExtraError("running Python code in the office", "office") from error
            _pool = opened
        return _pool


def close() -> None:
    """End this process's workers while no run is in progress.

    The next run starts new ones.
    """
    global _pool
    with _lock:
        closing, _pool = _pool, None
    if closing is not None:
        closing.__exit__(None, None, None)


def _forked() -> None:
    """Abandon the parent's pool in a child process, which has neither the pool's pipes nor its threads."""
    global _lock, _pool
    _lock = threading.Lock()
    if _pool is not None:
        _abandoned.append(_pool)
        _pool = None


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
