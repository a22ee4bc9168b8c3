"""Runs all checks of one or more envs in several processes and reports them in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium as gym

from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.cli.common import tell
from teller_gym.cli.interrupt import note
from teller_gym.proof.play import Kind, subject
from teller_gym.proof.registry import CLAIMS, LONG, OF_THE_BENCHMARK, Check
from teller_gym.proof.report import ProofItem, ProofReport, item
from teller_gym.proof.running import CRASHES, Result, describe, no_crash, run_all
from teller_gym.registration import ENVS

LOADS = "loads"
"""Name of the only check reported for an env that cannot be created."""


class Job(NamedTuple):
    """Check to run on an env."""

    env_id: str
    check: str

    def __str__(self) -> str:
        return self.check


def checks(
    env_id: str, *, quick: bool = False, generated: int | None = None, sound: bool | None = None
) -> dict[str, Check]:
    """Return an env's checks by name in report order; for the options see :func:`check_envs`."""
    if sound is None:
        sound = env_id.rpartition(":")[2] not in {card.id for card in ENVS}
    return {
        claim.name: claim.of(env_id, quick=quick, n=generated)
        for claim in CLAIMS[subject(env_id).kind]
        if not (sound and claim.name in OF_THE_BENCHMARK)
    }


def check_env(env_id: str, **wanted: Any) -> ProofReport:
    """Check an env and return its report; for the options see :func:`check_envs`."""
    (report,) = check_envs([env_id], **wanted)
    return report


def check_envs(
    env_ids: Sequence[str],
    *,
    quick: bool = False,
    generated: int | None = None,
    only: Sequence[str] = (),
    processes: int = 2,
    progress: bool = False,
    sound: bool | None = None,
) -> list[ProofReport]:
    """Check envs and return a report for each.

    Args:
        env_ids: ids as for ``gym.make``.
        quick: True for smaller samples; the figures give the sizes.
        generated: number of generated instances on which expert and solver are compared.
        only: names of checks or groups such as ``cheap``; all if empty.
        processes: number of checks that run at the same time.
        progress: True to report each finished check on stderr.
        sound: True to skip the claims that a scenario is as large as those in the benchmark; None skips them for an
            env outside the package.

    Raises:
        OptionError: a name is unknown, or a number is out of range.
        gymnasium.error.Error: there is no such env.
    """
    import teller_gym  # noqa: F401 - registers the ids

    if generated is not None and generated < 0:
        raise OptionError(f"generated: expected 0 or more, got {generated}")
    if processes < 1:
        raise OptionError(f"processes: expected 1 or more, got {processes}")
    every: dict[Job, Check] = {}
    broken: dict[str, ProofItem] = {}
    for env_id in env_ids:
        try:
            found = checks(env_id, quick=quick, generated=generated, sound=sound)
        except (OptionError, gym.error.Error, ModuleNotFoundError):
            raise
        except (Exception, SystemExit) as error:  # raised by the scenario's code or documents
            broken[env_id] = item(LOADS, "the scenario loads", "it does not", [describe(error)])
        else:
            every |= {Job(env_id, name): check for name, check in found.items()}
    chosen = _chosen(every, only)
    if not chosen and not broken:
        raise OptionError(f"only: {', '.join(only)}: not checked for {', '.join(env_ids)}; --no-sound asks for it")
    results: dict[Job, list[ProofItem]] = {}
    try:
        _fill(results, chosen, processes, progress=progress, name_env=len(env_ids) > 1)
    except KeyboardInterrupt:
        if progress:
            for report in _reports(env_ids, chosen, results, broken):
                tell(report.table())
            tell(f"stopped after {len(results)} of {len(chosen)} checks; the others did not run")
        raise
    return _reports(env_ids, chosen, results, broken)


def _chosen(every: Mapping[Job, Check], only: Sequence[str]) -> dict[Job, Check]:
    """Select the checks named in ``only``, by name or by group such as ``cheap``, or all if it is empty."""
    known = dict.fromkeys(name for job in every for name in (job.check.partition(".")[0], job.check))
    unknown = [name for name in only if name not in known and name not in OF_THE_BENCHMARK]
    if unknown and every:
        hint = did_you_mean(unknown[0], known)
        raise OptionError(f"only: expected some of {', '.join(known)}, got {unknown[0]!r}{hint}")
    return {
        job: check
        for job, check in every.items()
        if not only or job.check in only or job.check.partition(".")[0] in only
    }


def _fill(
    results: dict[Job, list[ProofItem]],
    chosen: Mapping[Job, Check],
    processes: int,
    *,
    progress: bool,
    name_env: bool,
) -> None:
    """Run checks and store each result in ``results`` immediately, so that an interruption keeps finished checks."""

    def done(job: Job, result: Result) -> None:
        results[job] = result[0]
        note(f"{len(results)} of {len(chosen)} checks had ended")
        if progress:
            verdict = "ok" if all(one.passed for one in result[0]) else "FAIL"
            name = " ".join(job) if name_env else job.check
            tell(f"[{len(results)}/{len(chosen)}] {name}: {verdict} ({result[1]:.1f} s)")

    order = sorted(chosen, key=lambda job: LONG.index(job.check) if job.check in LONG else len(LONG))
    run_all(chosen, order, processes, done)


def _reports(
    env_ids: Sequence[str],
    jobs: Mapping[Job, Check],
    results: Mapping[Job, list[ProofItem]],
    broken: Mapping[str, ProofItem],
) -> list[ProofReport]:
    """Return a report for each env that is broken or has at least one finished check."""
    reports = []
    for env_id in env_ids:
        ended = [results[job] for job in jobs if job.env_id == env_id and job in results]
        if env_id in broken:
            reports.append(ProofReport(env_id=env_id, scenario="", items=(broken[env_id],)))
        elif ended:
            items = _with_crashes_last([one for items in ended for one in items])
            reports.append(ProofReport(env_id=env_id, scenario=_scenario(env_id), items=items))
    return reports


def _with_crashes_last(items: Sequence[ProofItem]) -> tuple[ProofItem, ...]:
    """Return an env's items, with those about tool crashes merged into one at the end."""
    crashes = [one for one in items if one.name == CRASHES]
    places = dict.fromkeys(place for one in crashes for place in one.problems)
    total = no_crash(sum(one.measured["crashes"] for one in crashes), list(places))
    return (*(one for one in items if one.name != CRASHES), total)


def _scenario(env_id: str) -> str:
    under = subject(env_id)
    return "" if under.kind in (Kind.MIXED, Kind.DAY) else under.scenario.name
