"""Measurements of one stage of a run."""

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
"""Number of equal bands into which levels of difficulty from 0 to 1 are grouped."""


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of a part of the episodes."""

    episodes: int
    metrics: dict[str, Metric]


@dataclass(frozen=True, slots=True)
class StageReport:
    """The figures of one stage."""

    stage: int
    """1: reconstruct the graph; 2: execute."""
    planned: int
    """Episodes that the stage is made of."""
    counted: int
    """Valid episodes: those the figures are over."""
    invalid: int
    """Episodes that broke down through no fault of the agent; in no figure."""
    metrics: dict[str, Metric]
    """Every metric with its 95 % interval (see `measures.intervals`); shares of errors as `error_<kind>`."""
    macro: dict[str, Metric]
    """Of several scenarios, the mean over scenarios, each weighing the same; empty where there is one."""
    pass_hat: dict[int, Metric]
    """pass^k by k."""
    groups: dict[str, dict[str, Group]]
    """By `scenario`, `split`, and in stage 2 `outcome`, `difficulty` and `branch:<decision point>`. Where a run has
    several scenarios, a decision point is `branch:<scenario>.<decision point>`."""
    failures: Failures | None = None
    """Root causes of stage 2."""
    defects: dict[str, int] = field(default_factory=dict)
    """Crashes of our own code on agents' actions, and how many calls failed because of each, most first."""
    transfer: Transfer | None = None
    """Seen procedures against the one that the env leaves out; None where it leaves none out."""

    office: tuple[OfficeRow, ...] = ()
    """Office work by autonomy, as the paper reports it; empty where there is none."""

    as_failures: dict[str, Metric] = field(default_factory=dict)
    """Second reading of the key figures, with invalid episodes counted as failures; empty if none is invalid."""
    macro_as_failures: dict[str, Metric] = field(default_factory=dict)
    """Second reading of the mean over scenarios."""
    answers: Answers = field(default_factory=Answers)
    """Cut answers and prompts, and malformed calls by form."""
    tokens: dict[str, int] = field(default_factory=dict)
    """`prompt` and `completion` tokens of all valid episodes, and the `cached` prompt tokens, if known; empty if the
    agent does not count."""
    usd: float | None = None
    """Cost of these tokens in US dollars; None without prices."""

    @property
    def errors(self) -> dict[str, Metric]:
        """Share of the episodes that show each kind of error; stage 1 distinguishes none."""
        return {name[6:]: metric for name, metric in self.metrics.items() if name.startswith("error_")}

    @property
    def left(self) -> int:
        """Episodes not played yet."""
        return self.planned - self.counted - self.invalid

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON values; what few runs have is left out where there is none."""
        values: dict[str, Any] = json_values(self)
        for name in ("transfer", "office", "as_failures", "macro_as_failures"):
            if not values[name]:
                del values[name]
        return values


def measure_stage(
    stage: int, planned: int, episodes: Sequence[Episode], *, prices: Prices | None = None, seed: int = 0,
    unseen: Collection[str] = (),
) -> StageReport:  # fmt: skip
    """Measure the episodes of one stage, in any order.

    Args:
        planned: episodes that the stage is made of.
        prices: of the agent's tokens.
        seed: of the bootstrap.
        unseen: the scenarios that the env leaves out.
    """
    counted = valid(episodes)
    by_scenario: dict[str, list[Episode]] = {}
    for episode in sorted(counted, key=lambda one: one["scenario"]):
        by_scenario.setdefault(episode["scenario"], []).append(episode)
    several = len(by_scenario) > 1
    tokens = _tokens(counted)
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
        defects=dict(_defects(counted).most_common()),
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


def _defects(episodes: Iterable[Episode]) -> Counter[str]:
    crashes = Counter(defect["crash"] for episode in episodes for defect in episode.get("defects", ()))
    return Counter(dict(sorted(crashes.items())))


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
    """Return the band of a level of difficulty, such as `0.25–0.50`; a level of 1 is in the last one."""
    if level is None:
        return None
    place = min(int(level * BANDS), BANDS - 1)
    return f"{place / BANDS:.2f}–{(place + 1) / BANDS:.2f}"


def _point(episode: Episode, point: str, several: bool) -> str:
    # Scenarios may have decision points of one name that ask for different things.
    return f"{episode['scenario']}.{point}" if several else point


def _branch_at(wanted: str, several: bool) -> Callable[[Episode], str | None]:
    def branch(episode: Episode) -> str | None:
        return next(
            (way for point, way in episode["branches"].items() if _point(episode, point, several) == wanted), None
        )

    return branch
