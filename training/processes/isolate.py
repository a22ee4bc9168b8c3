"""Fresh processes with the parent's state, for isolated work such as an evaluation.

GPU memory of an engine or a training library is reliably released only when its process ends.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import teller_gym
from teller_gym.base.errors import InfrastructureError
from teller_gym.base.workers import in_order, workers
from teller_gym.evaluation import Report, load_report
from teller_gym.procedure.scenario import register_scenario
from teller_gym.registration import OWN, SCENARIOS

P = TypeVar("P")
T = TypeVar("T")

_LAUNCHED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "GROUP_RANK", "ROLE_RANK")
"""Environment variables that would make a process join its parent's process group."""


@dataclass(frozen=True)
class Surroundings:
    """State passed to a fresh process: modules of scenarios outside the package by name, and the module path."""

    modules: Mapping[str, str]
    path: Sequence[str]

    @classmethod
    def here(cls) -> Surroundings:
        own = {entry.name for entry in OWN}
        return cls({name: entry.module for name, entry in SCENARIOS.items() if name not in own}, list(sys.path))

    def enter(self) -> None:
        """Apply the state, and detach the process from any group of training processes."""
        for name in [
            one for one in os.environ if one.startswith((*_LAUNCHED, "LOCAL_", "TORCHELASTIC_", "ACCELERATE_"))
        ]:
            del os.environ[name]
        sys.path[:] = self.path
        for name, module in self.modules.items():
            register_scenario(name, module)


_work: Callable[[Any], Any]
"""Function that a process started by `spread` applies to its parts."""


def _begin(surroundings: Surroundings, make: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]) -> None:
    global _work
    surroundings.enter()
    _work = make(*arguments)


def _part(part: Any) -> Any:
    return _work(part)


def spread(
    make: Callable[..., Callable[[P], T]], arguments: tuple[Any, ...], parts: Iterable[P], processes: int, what: str
) -> Generator[T]:
    """Yield the result of each part in order, computed in fresh processes.

    If ``processes`` is 1, this process computes all results.

    Args:
        make: called with the picklable arguments in each process; returns the function to call with each part.
        what: clause for the error message that says what a process does.

    Raises:
        InfrastructureError: a process died.
    """
    if processes == 1:
        yield from map(make(*arguments), parts)
        return
    with workers(processes, _begin, (Surroundings.here(), make, arguments)) as pool:
        try:
            yield from in_order(pool, processes, _part, parts)
        except BrokenProcessPool as error:
            raise InfrastructureError(
                f"a process that {what} died, perhaps for want of memory; hardware.data_processes=1 needs the least"
            ) from error


LOOK_S = 0.5
"""Seconds between calls of ``look`` while `apart` waits."""


def apart(work: Callable[..., T], *args: Any, died: str, look: Callable[[], None] | None = None) -> T:
    """Call a module-level function in a fresh process and return its result or raise its exception.

    ``look`` is called regularly while the process works; an exception from it ends the process.

    Raises:
        InfrastructureError: the process died; ``died`` is the message.
    """
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    try:
        asked = pool.submit(_entered, Surroundings.here(), work, args)
        while look is not None and not wait([asked], LOOK_S).done:
            look()
        return asked.result()
    except BrokenProcessPool as error:
        if look is not None:
            # A signal to the whole job that ended the process may be about to reach this one.
            time.sleep(LOOK_S)
            look()
        raise InfrastructureError(died) from error
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _entered(surroundings: Surroundings, work: Callable[..., T], args: tuple[Any, ...]) -> T:
    surroundings.enter()
    return work(*args)


def evaluate_apart(agent: str, env_id: str, split: str, run_dir: Path, **options: Any) -> Report:
    """Run `teller_gym.evaluate` with picklable options in a fresh process, and return its report.

    Raises:
        InfrastructureError: the process died; finished episodes are kept.
    """
    died = (
        f"the evaluation of {agent} died, perhaps for want of memory; what it has played is kept in {run_dir}, and the "
        "same command goes on from there"
    )
    apart(_evaluate, agent, env_id, split, options | {"run_dir": run_dir}, died=died)
    return load_report(run_dir)


def _evaluate(agent: str, env_id: str, split: str, options: dict[str, Any]) -> None:
    teller_gym.evaluate(agent, env_id, split, **options)


def give_back() -> None:
    """Free unreferenced GPU memory."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
