"""All checks of an env, in order, on up to two processes."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from teller_gym.agents import CHEAP_AGENTS
from teller_gym.errors import OptionError
from teller_gym.proof import (
    agreement,
    answers,
    cheap,
    distractors,
    leaks,
    mutation,
    repeatable,
    side_effects,
    solvable,
    structure,
)
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, ProofReport, item

QUICK_INSTANCES = 24
"""Instances whose calls are mutated in a quick check."""
QUICK_GENERATED = 100
GENERATED = 1000
"""Generated instances on which expert and solver are compared unless another number is asked for."""

Check = Callable[[], ProofItem | list[ProofItem]]


def checks(env_id: str, *, quick: bool = False, generated: int | None = None) -> dict[str, Check]:
    """Return the checks by name, in the order in which they are reported."""
    n = generated if generated is not None else QUICK_GENERATED if quick else GENERATED
    found: dict[str, Check] = {
        "sizes": partial(structure.sizes, env_id),
        "graph": partial(structure.graph, env_id),
        "parameters": partial(structure.parameters, env_id),
        "gymnasium": partial(structure.gymnasium_checker, env_id),
        "frozen_bytes": partial(structure.frozen_bytes, env_id),
        "disjoint": partial(structure.disjoint, env_id),
        "leaks": partial(leaks.leaks, env_id, QUICK_GENERATED if quick else GENERATED),
        "oracle": partial(solvable.oracle, env_id),
        "harmless_reads": partial(solvable.harmless_reads, env_id),
        "any_order": partial(solvable.any_order, env_id, 1 if quick else 5),
        "mutation": partial(mutation.mutation, env_id, QUICK_INSTANCES if quick else None),
        "repeatable": partial(repeatable.repeatable, env_id, 8 if quick else 40),
        "agreement": partial(agreement.agreement, env_id, n),
        "most_frequent_answer": partial(answers.most_frequent_answer, env_id),
        "outcome_classes": partial(answers.outcome_classes, env_id),
        "single_fields": partial(answers.single_fields, env_id),
        "near_misses": partial(distractors.near_misses, env_id, *((40, 30) if quick else (200, None))),
        "distractor_reads": partial(side_effects.distractor_reads, env_id, QUICK_INSTANCES if quick else None),
        "distractor_writes": partial(side_effects.distractor_writes, env_id),
    }
    return found | {f"cheap.{name}": partial(cheap.cheap_agent, env_id, name) for name in CHEAP_AGENTS}


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
        quick: fewer mutations, orders, seeds and generated instances; the sizes stand in the figures.
        generated: generated instances on which expert and solver are compared.
        only: names of checks, or beginnings of names such as ``cheap``; all if empty.
        processes: how many run at the same time.
        progress: whether to say on stderr which check has ended.

    Raises:
        OptionError: a name or a number that cannot be.
        gymnasium.error.Error: there is no such env.
    """
    import teller_gym  # noqa: F401 - registers the ids

    if generated is not None and generated < 0:
        raise OptionError(f"generated: expected 0 or more, got {generated}")
    if processes < 1:
        raise OptionError(f"processes: expected 1 or more, got {processes}")
    scenario = subject(env_id).scenario.name
    every = checks(env_id, quick=quick, generated=generated)
    chosen = {name: check for name, check in every.items() if not only or name.startswith(tuple(only))}
    if not chosen:
        raise OptionError(f"only: expected beginnings of {', '.join(every)}, got {', '.join(only)}")
    results = _run_all(chosen, processes, progress)
    return ProofReport(
        env_id=env_id, scenario=scenario, items=tuple(result for name in chosen for result in results[name])
    )


def _run_all(chosen: dict[str, Check], processes: int, progress: bool) -> dict[str, list[ProofItem]]:
    if processes == 1 or len(chosen) == 1:
        return {name: _told(name, _run(name, check), progress) for name, check in chosen.items()}
    with ProcessPoolExecutor(min(processes, len(chosen)), mp_context=get_context("spawn")) as pool:
        # The longest ones first, so that none is left over at the end.
        order = sorted(chosen, key=lambda name: _LONG.index(name) if name in _LONG else len(_LONG))
        futures = {name: pool.submit(_run, name, chosen[name]) for name in order}
        return {name: _told(name, future.result(), progress) for name, future in futures.items()}


_LONG = (
    "near_misses",
    "mutation",
    "cheap.brute_force",
    "cheap.call_everything",
    "agreement",
    "cheap.repeat",
    "any_order",
)


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


def _told(name: str, result: tuple[list[ProofItem], float], progress: bool) -> list[ProofItem]:
    found, seconds = result
    if progress:
        verdict = "ok" if all(one.passed for one in found) else "FAIL"
        print(f"{name}: {verdict} ({seconds:.1f} s)", file=sys.stderr, flush=True)
    return found
