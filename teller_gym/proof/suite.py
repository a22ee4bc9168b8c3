"""All checks of an env or of every env of the package, in order, on up to two processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import gymnasium as gym

from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.cli.interrupt import note
from teller_gym.proof.benchmark import benchmark
from teller_gym.proof.kinds import CHECKS, FULL, LONG, OF_THE_BENCHMARK, QUICK
from teller_gym.proof.play import Kind, subject
from teller_gym.proof.report import PackageReport, ProofItem, ProofReport, item
from teller_gym.proof.running import CRASHES, Check, Result, describe, no_crash, run_all, tell
from teller_gym.registration import ENVS


class Job(NamedTuple):
    """A check of an env."""

    env_id: str
    check: str

    def __str__(self) -> str:
        return self.check


class Wanted(NamedTuple):
    """The selection of checks, by the arguments of :func:`check_env`."""

    quick: bool = False
    generated: int | None = None
    only: Sequence[str] = ()
    processes: int = 2
    progress: bool = False
    sound: bool | None = None


def checks(
    env_id: str, *, quick: bool = False, generated: int | None = None, sound: bool | None = None
) -> dict[str, Check]:
    """Return the checks of an env by name, in the order in which they are reported; see :func:`check_env`."""
    sample = QUICK if quick else FULL
    if generated is not None:
        sample = sample._replace(generated=generated)
    found = CHECKS[subject(env_id).kind](env_id, sample)
    if sound is None:
        sound = env_id.rpartition(":")[2] not in {card.id for card in ENVS}
    return {name: check for name, check in found.items() if not (sound and name in OF_THE_BENCHMARK)}


def check_env(
    env_id: str,
    *,
    quick: bool = False,
    generated: int | None = None,
    only: Sequence[str] = (),
    processes: int = 2,
    progress: bool = False,
    sound: bool | None = None,
) -> ProofReport:
    """Check an env.

    Args:
        env_id: as for ``gym.make``.
        quick: smaller samples; the sizes are in the figures.
        generated: generated instances on which expert and solver are compared.
        only: names of checks, or of groups such as ``cheap``; all if empty.
        processes: how many run at the same time.
        progress: True to report on stderr each check that has ended.
        sound: True to leave out the claims that a scenario is as large as those of the benchmark; None leaves them out
            for an env that is none of the package's own.

    Raises:
        OptionError: a name or a number that cannot be.
        gymnasium.error.Error: there is no such env.
    """
    (report,) = _check([env_id], Wanted(quick, generated, only, processes, progress, sound))
    return report


def check_package(
    *,
    quick: bool = False,
    generated: int | None = None,
    only: Sequence[str] = (),
    processes: int = 2,
    progress: bool = False,
    sound: bool | None = None,
) -> PackageReport:
    """Check every env that the package registers, and measure its scenarios; arguments as for :func:`check_env`."""
    reports = _check([card.id for card in ENVS], Wanted(quick, generated, only, processes, progress, sound))
    broken = {report.env_id for report in reports if report.items[0].name == LOADS}
    played = [card for card in ENVS if "scenario" in card.kwargs and card.id not in broken and not sound]
    scenarios = list(dict.fromkeys(card.kwargs["scenario"] for card in played))
    return PackageReport(reports=tuple(reports), benchmark=benchmark(scenarios))


LOADS = "loads"
"""The one check of an env that cannot be made."""


def _check(env_ids: Sequence[str], wanted: Wanted) -> list[ProofReport]:
    import teller_gym  # noqa: F401 - registers the ids

    if wanted.generated is not None and wanted.generated < 0:
        raise OptionError(f"generated: expected 0 or more, got {wanted.generated}")
    if wanted.processes < 1:
        raise OptionError(f"processes: expected 1 or more, got {wanted.processes}")
    every: dict[Job, Check] = {}
    broken: dict[str, ProofItem] = {}
    for env_id in env_ids:
        try:
            found = checks(env_id, quick=wanted.quick, generated=wanted.generated, sound=wanted.sound)
        except (OptionError, gym.error.Error, ModuleNotFoundError):
            raise
        except (Exception, SystemExit) as error:  # the scenario's own code or its documents
            broken[env_id] = item(LOADS, "the scenario loads", "it does not", [describe(error)])
        else:
            every |= {Job(env_id, name): check for name, check in found.items()}
    _expect_known(wanted.only, every)
    chosen = {job: check for job, check in every.items() if not wanted.only or _is_asked_for(job.check, wanted.only)}
    if not chosen and not broken:
        raise OptionError(
            f"only: {', '.join(wanted.only)}: not checked for {', '.join(env_ids)}; --no-sound asks for it"
        )
    results: dict[Job, list[ProofItem]] = {}
    try:
        _fill(results, chosen, wanted, tell_env=len(env_ids) > 1)
    except KeyboardInterrupt:
        if wanted.progress:
            ended = [job for job in chosen if job in results]
            for report in _reports(env_ids, ended, results, broken):
                tell(report.table())
            tell(f"stopped after {len(ended)} of {len(chosen)} checks; what is above was found, the rest is not known")
        raise
    return _reports(env_ids, list(chosen), results, broken)


def _reports(
    env_ids: Sequence[str],
    jobs: Sequence[Job],
    results: Mapping[Job, list[ProofItem]],
    broken: Mapping[str, ProofItem],
) -> list[ProofReport]:
    """Return the reports of the envs that have any finished check."""
    items: dict[str, tuple[ProofItem, ...]] = {env_id: (broken[env_id],) for env_id in broken}
    for env_id in dict.fromkeys(job.env_id for job in jobs):
        items[env_id] = _together([result for job in jobs if job.env_id == env_id for result in results[job]])
    return [
        ProofReport(env_id=env_id, scenario="" if env_id in broken else _scenario(env_id), items=items[env_id])
        for env_id in env_ids
        if env_id in items
    ]


def _is_asked_for(check: str, only: Sequence[str]) -> bool:
    """Return True if a check is named in `only`, itself or by a group such as ``cheap``."""
    return check in only or check.partition(".")[0] in only


def _expect_known(only: Sequence[str], every: Mapping[Job, Check]) -> None:
    """Raise an OptionError if a name is neither a check nor a group of checks."""
    known = dict.fromkeys(name for job in every for name in (job.check.partition(".")[0], job.check))
    unknown = [name for name in only if name not in known and name not in OF_THE_BENCHMARK]
    if unknown and every:
        hint = did_you_mean(unknown[0], known)
        raise OptionError(f"only: expected some of {', '.join(known)}, got {unknown[0]!r}{hint}")


def _together(items: Sequence[ProofItem]) -> tuple[ProofItem, ...]:
    """Return all items of an env, with one about the crashes of its tools, under any check, at the end."""
    crashes = [one for one in items if one.name == CRASHES]
    places = dict.fromkeys(place for one in crashes for place in one.problems)
    total = no_crash(sum(one.measured["crashes"] for one in crashes), list(places))
    return (*(one for one in items if one.name != CRASHES), total)


def _fill(results: dict[Job, list[ProofItem]], chosen: dict[Job, Check], wanted: Wanted, *, tell_env: bool) -> None:
    """Run checks and keep the findings of each as it ends, so that an interruption loses no finished check."""

    def done(job: Job, result: Result) -> None:
        results[job] = result[0]
        note(f"{len(results)} of {len(chosen)} checks had ended")
        if wanted.progress:
            verdict = "ok" if all(one.passed for one in result[0]) else "FAIL"
            name = " ".join(job) if tell_env else job.check
            tell(f"[{len(results)}/{len(chosen)}] {name}: {verdict} ({result[1]:.1f} s)")

    order = sorted(chosen, key=lambda job: LONG.index(job.check) if job.check in LONG else len(LONG))
    run_all(chosen, order, wanted.processes, done)


def _scenario(env_id: str) -> str:
    under = subject(env_id)
    return "" if under.kind in (Kind.MIXED, Kind.DAY) else under.scenario.name
