"""Measurements of one stage in a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from teller_gym.agents.base import Prices
from teller_gym.evaluation.measures.answers import Answers, measure_answers
from teller_gym.evaluation.measures.failures import Failures, measure_failures
from teller_gym.evaluation.measures.labels import COMPARED, GROUPED, READINGS
from teller_gym.evaluation.measures.metrics import as_failures, by_group, macro, pass_hat, summarise
from teller_gym.evaluation.measures.office import OfficeRow, measure_office
from teller_gym.evaluation.measures.sums import failed_instead, valid
from teller_gym.evaluation.measures.transfer import Transfer, measure_transfer
from teller_gym.evaluation.records.episode import Episode, Status
from teller_gym.tables.model import Metric, json_values

BANDS = 4
"""Number of equal bands into which difficulty levels from 0 to 1 are grouped."""


@dataclass(frozen=True, slots=True)
class Group:
    """Size and metrics of a group of episodes."""

    episodes: int
    metrics: dict[str, Metric]


@dataclass(frozen=True, slots=True)
class StageReport:
    """Measurements of one stage."""

    stage: int
    """Stage number: 1 for graph reconstruction, 2 for execution."""
    planned: int
    """Number of episodes that the stage should have when complete."""
    counted: int
    """Number of valid episodes, over which the metrics are computed."""
    invalid: int
    """Number of episodes that failed through no fault of the agent and enter no metric."""
    metrics: dict[str, Metric]
    """Metrics with 95 % intervals (see `measures.intervals`); error shares are named `error_<kind>`."""
    macro: dict[str, Metric]
    """Unweighted means over scenarios; empty if there is only one scenario."""
    pass_hat: dict[int, Metric]
    """pass^k by k."""
    groups: dict[str, dict[str, Group]]
    """Groups by `scenario` and `split`, and in stage 2 also by `outcome`, `difficulty` and `branch:<decision point>`.

    If a run has several scenarios, the last is `branch:<scenario>.<decision point>`.
    """
    failures: Failures | None = None
    """Root causes of failures; None in stage 1."""
    defects: dict[str, int] = field(default_factory=dict)
    """Crashes of the package's own code on agents' actions, most frequent first.

    The values are the numbers of calls that failed because of each crash.
    """
    transfer: Transfer | None = None
    """Comparison of seen and unseen procedures; None if the env leaves none out."""

    office: tuple[OfficeRow, ...] = ()
    """Office work metrics by autonomy, as in the paper; empty if there is no office work."""

    as_failures: dict[str, Metric] = field(default_factory=dict)
    """Key metrics with invalid episodes counted as failures; empty if no episode is invalid."""
    macro_as_failures: dict[str, Metric] = field(default_factory=dict)
    """Means over scenarios with invalid episodes counted as failures."""
    answers: Answers = field(default_factory=Answers)
    """Counts of truncated answers and prompts, and of malformed calls by form."""
    tokens: dict[str, int] = field(default_factory=dict)
    """Total number of `prompt` and `completion` tokens in valid episodes, and of `cached` prompt tokens if known.

    Empty if the agent does not count tokens.
    """
    usd: float | None = None
    """Cost of these tokens in US dollars, or None without prices."""

    @property
    def errors(self) -> dict[str, Metric]:
        """Share of episodes with each type of error; empty in stage 1."""
        return {name[6:]: metric for name, metric in self.metrics.items() if name.startswith("error_")}

    @property
    def left(self) -> int:
        """Number of episodes that have not been played yet."""
        return self.planned - self.counted - self.invalid

    def to_dict(self) -> dict[str, Any]:
        """Return the measurements as JSON values.

        Those that only few runs have are left out if empty.
        """
        values: dict[str, Any] = json_values(self)
        for name in ("transfer", "office", "as_failures", "macro_as_failures"):
            if not values[name]:
                del values[name]
        return values


def measure_stage(
    stage: int, planned: int, episodes: Sequence[Episode], *, prices: Prices | None = None, seed: int = 0,
    unseen: Collection[str] = (),
) -> StageReport:  # fmt: skip
    """Create the report for one stage's episodes, given in any order.

    Args:
        planned: number of episodes that the stage should have when complete.
        unseen: scenarios that the env leaves out of training.
    """
    counted = valid(episodes)
    by_scenario: dict[str, list[Episode]] = {}
    for episode in sorted(counted, key=lambda one: one["scenario"]):
        by_scenario.setdefault(episode["scenario"], []).append(episode)
    several = len(by_scenario) > 1
    tokens = _tokens(counted)
    crashes = Counter(sorted(defect["crash"] for episode in counted for defect in episode.get("defects", ())))
    return StageReport(
        stage=stage,
        planned=planned,
        counted=len(counted),
        invalid=sum(episode["status"] == Status.INVALID for episode in episodes),
        metrics=summarise(counted, stage=stage, prices=prices, seed=seed),
        macro=macro(list(by_scenario.values()), stage=stage, names=_averaged(stage), seed=seed) if several else {},
        pass_hat=pass_hat(counted, seed=seed),
        groups=_groups(stage, counted, several, seed),
        failures=None if stage == 1 else measure_failures(counted, partial(_point, several=several), seed=seed),
        defects=dict(crashes.most_common()),
        transfer=measure_transfer(counted, unseen, stage=stage, names=_averaged(stage), seed=seed),
        office=measure_office(counted, prices) if stage == 2 else (),
        as_failures=as_failures(episodes, stage=stage, names=READINGS[stage], seed=seed),
        macro_as_failures=_macro_as_failures(stage, episodes, seed),
        answers=measure_answers(counted),
        tokens=tokens,
        usd=None if prices is None or not tokens else round(prices.of(tokens), 6),
    )


def _macro_as_failures(stage: int, episodes: Sequence[Episode], seed: int) -> dict[str, Metric]:
    by_scenario: dict[str, list[Episode]] = {}
    for episode in sorted(episodes, key=lambda one: one["scenario"]):
        by_scenario.setdefault(episode["scenario"], []).append(failed_instead(episode))
    if len(by_scenario) < 2 or len(valid(episodes)) == len(episodes):
        return {}
    return macro(list(by_scenario.values()), stage=stage, names=READINGS[stage], seed=seed)


def _tokens(episodes: Iterable[Episode]) -> dict[str, int]:
    found: dict[str, int] = {}
    for episode in episodes:
        for kind, count in (episode["tokens"] or {}).items():
            found[kind] = found.get(kind, 0) + count
    return found


def _averaged(stage: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*GROUPED[stage], *COMPARED[stage])))


def _groups(stage: int, episodes: Sequence[Episode], several: bool, seed: int) -> dict[str, dict[str, Group]]:
    kinds: dict[str, Callable[[Episode], str | None]] = {
        "scenario": lambda episode: episode["scenario"],
        "split": lambda episode: episode["split"],
    }
    if stage == 2:
        kinds["outcome"] = lambda episode: episode["outcome"] or None
        kinds["difficulty"] = lambda episode: band(episode["difficulty"])
        points = sorted({_point(one, point, several) for one in episodes for point in one["branches"]})
        kinds |= {f"branch:{point}": _branch_at(point, several) for point in points}
    found = {}
    for name, group in kinds.items():
        members = by_group(episodes, group, stage=stage, names=GROUPED[stage], seed=seed)
        if members:
            found[name] = {member: Group(size, metrics) for member, (size, metrics) in members.items()}
    return found


def band(level: float | None) -> str | None:
    """Return the band of a difficulty level, such as `0.25–0.50`, or None if the level is None.

    Level 1 is in the last band.
    """
    if level is None:
        return None
    place = min(int(level * BANDS), BANDS - 1)
    return f"{place / BANDS:.2f}–{(place + 1) / BANDS:.2f}"


def _point(episode: Episode, point: str, several: bool) -> str:
    # Different scenarios may use the same name for different decision points.
    return f"{episode['scenario']}.{point}" if several else point


def _branch_at(wanted: str, several: bool) -> Callable[[Episode], str | None]:
    def branch(episode: Episode) -> str | None:
        return next(
            (way for point, way in episode["branches"].items() if _point(episode, point, several) == wanted), None
        )

    return branch
