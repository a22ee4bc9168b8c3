"""Evaluation in a process of its own: when it ends, all of the GPU's memory is free again.

What an engine or a training library holds on a GPU goes back for certain only with its process.
"""

from __future__ import annotations

import gc
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.base.errors import InfrastructureError
from teller_gym.evaluation import Report, load_report
from teller_gym.training.surroundings import Surroundings


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
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    try:
        pool.submit(_evaluate, Surroundings.here(), agent, env_id, split, options | {"run_dir": run_dir}).result()
    except BrokenProcessPool as error:
        raise InfrastructureError(
            f"the evaluation of {agent} died, perhaps for want of memory; what it has played is kept in {run_dir}, and "
            "the same command goes on from there"
        ) from error
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    return load_report(run_dir)


def _evaluate(surroundings: Surroundings, agent: str, env_id: str, split: str, options: dict[str, Any]) -> None:
    surroundings.enter()
    teller_gym.evaluate(agent, env_id, split, **options)


def give_back() -> None:
    """Return what nobody refers to any more to the GPU."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
