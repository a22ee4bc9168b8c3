"""Work in a process of its own, such as an evaluation: when it ends, all of the GPU's memory is free again.

What an engine or a training library holds on a GPU goes back for certain only with its process.
"""

from __future__ import annotations

import gc
import multiprocessing
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, TypeVar

import teller_gym
from teller_gym.base.errors import InfrastructureError
from teller_gym.evaluation import Report, load_report
from teller_gym.training.processes.inherited import Surroundings

T = TypeVar("T")

LOOK_S = 0.5
"""So often `apart` looks up from waiting, if it is to."""


def apart(work: Callable[..., T], *args: Any, died: str, look: Callable[[], None] | None = None) -> T:
    """Call something in a fresh process and return what it returns.

    Args:
        work: of a module, so that the process finds it.
        args: they must pickle.
        died: what an InfrastructureError says if the process dies.
        look: called every now and then while the process works; what it raises ends the process.

    Raises:
        InfrastructureError: the process died.
        Exception: what was raised there.
    """
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    try:
        asked = pool.submit(_entered, Surroundings.here(), work, args)
        while look is not None and not wait([asked], LOOK_S).done:
            look()
        return asked.result()
    except BrokenProcessPool as error:
        if look is not None:
            # What ended the process, such as a signal to all of a job, may be on its way to this one.
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
    """Do `teller_gym.evaluate` in a fresh process and return its report.

    Args:
        agent, env_id, split: as there.
        run_dir: the evaluation's folder, which the report is read from.
        options: further arguments of `evaluate`; they must pickle.

    Raises:
        InfrastructureError: the process died; what it had played is kept.
        TellerError: what `evaluate` raised there.
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
    """Return what nobody refers to any more to the GPU."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
