"""All checks of an env or of every env of the package, in order, on up to two processes."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from teller_gym.base.errors import OptionError
from teller_gym.proof.benchmark import benchmark
from teller_gym.proof.kinds import CHECKS, FULL, LONG, QUICK, Check
from teller_gym.proof.play import Kind, subject
from teller_gym.proof.report import PackageReport, ProofItem, ProofReport, item
from teller_gym.registration import ENVS

Job = tuple[str, str]
"""Id of an env and name of a check."""


def checks(env_id: str, *, quick: bool = False, generated: int | None = None) -> dict[str, Check]:
    """Return the checks of an env by name, in the order in which they are reported."""
    sample = QUICK if quick else FULL
    if generated is not None:
        sample = sample._replace(generated=generated)
    return CHECKS[subject(env_id).kind](env_id, sample)


def check_env(
    env_id: str,
    *,
    quick: bool = False,
    generated: int | None = None,
    only: Sequence[str] = (),
    processes: int = 2,
    progress: bool = False,
) -> ProofReport:
    """Check an env.

    Args:
        env_id: as for ``gym.make``.
        quick: smaller samples; the sizes stand in the figures.
        generated: generated instances on which expert and solver are compared.
        only: names of checks, or beginnings of names such as ``cheap``; all if empty.
        processes: how many run at the same time.
        progress: whether to say on stderr which check has ended.

    Raises:
        OptionError: a name or a number that cannot be.
        gymnasium.error.Error: there is no such env.
    """
    (report,) = _check([env_id], quick, generated, only, processes, progress)
    return report


def check_package(
    *,
    quick: bool = False,
    generated: int | None = None,
    only: Sequence[str] = (),
    processes: int = 2,
    progress: bool = False,
) -> PackageReport:
    """Check every env that the package registers, and measure its scenarios; arguments as for :func:`check_env`."""
    reports = _check([card.id for card in ENVS], quick, generated, only, processes, progress)
    scenarios = list(dict.fromkeys(card.kwargs["scenario"] for card in ENVS if "scenario" in card.kwargs))
    return PackageReport(reports=tuple(reports), benchmark=benchmark(scenarios))


def _check(
    env_ids: Sequence[str],
    quick: bool,
    generated: int | None,
    only: Sequence[str],
    processes: int,
    progress: bool,
) -> list[ProofReport]:
    import teller_gym  # noqa: F401 - registers the ids

    if generated is not None and generated < 0:
        raise OptionError(f"generated: expected 0 or more, got {generated}")
    if processes < 1:
        raise OptionError(f"processes: expected 1 or more, got {processes}")
    every = {
        (env_id, name): check
        for env_id in env_ids
        for name, check in checks(env_id, quick=quick, generated=generated).items()
    }
    chosen = {job: check for job, check in every.items() if not only or job[1].startswith(tuple(only))}
    if not chosen:
        names = dict.fromkeys(name for _, name in every)
        raise OptionError(f"only: expected beginnings of {', '.join(names)}, got {', '.join(only)}")
    results = _run_all(chosen, processes, progress, tell_env=len(env_ids) > 1)
    return [
        ProofReport(
            env_id=env_id,
            scenario=_scenario(env_id),
            items=tuple(result for job in chosen if job[0] == env_id for result in results[job]),
        )
        for env_id in env_ids
        if any(job[0] == env_id for job in chosen)
    ]


def _scenario(env_id: str) -> str:
    under = subject(env_id)
    return "" if under.kind is Kind.MIXED else under.scenario.name


def _run_all(
    chosen: Mapping[Job, Check], processes: int, progress: bool, *, tell_env: bool
) -> dict[Job, list[ProofItem]]:
    labels = {job: f"{job[0]} {job[1]}" if tell_env else job[1] for job in chosen}
    if processes == 1 or len(chosen) == 1:
        return {job: _told(labels[job], _run(job[1], check), progress) for job, check in chosen.items()}
    with ProcessPoolExecutor(min(processes, len(chosen)), mp_context=get_context("spawn")) as pool:
        order = sorted(chosen, key=lambda job: LONG.index(job[1]) if job[1] in LONG else len(LONG))
        futures = {job: pool.submit(_run, job[1], chosen[job]) for job in order}
        return {job: _told(labels[job], future.result(), progress) for job, future in futures.items()}


def _run(name: str, check: Check) -> tuple[list[ProofItem], float]:
    import teller_gym  # noqa: F401 - registers the ids, in a process of its own too

    started = time.perf_counter()
    try:
        found = check()
    except Exception as error:  # an env that crashes under a check has failed it; the other checks go on
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename}:{where.lineno}"
        found = item(name, f"the check {name} runs", "it crashed", [f"{type(error).__name__}: {error} ({place})"])
    return found if isinstance(found, list) else [found], time.perf_counter() - started


def _told(label: str, result: tuple[list[ProofItem], float], progress: bool) -> list[ProofItem]:
    found, seconds = result
    if progress:
        verdict = "ok" if all(one.passed for one in found) else "FAIL"
        print(f"{label}: {verdict} ({seconds:.1f} s)", file=sys.stderr, flush=True)
    return found
