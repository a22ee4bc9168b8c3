"""Confidence intervals of shares equal Wilson's, are never a single point, and have the promised coverage."""

import random
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.evaluation.measures.intervals import FEW, of_constant, of_difference, of_mean, of_share, wilson
from teller_gym.evaluation.measures.labels import RIGHT
from teller_gym.evaluation.measures.metrics import macro, pass_hat, summarise
from teller_gym.evaluation.measures.stage_report import measure_stage
from teller_gym.evaluation.measures.transfer import DIFFERENCE, measure_transfer
from teller_gym.evaluation.records.episode import Episode
from teller_gym.tables.model import Metric
from tests.evaluation.samples import episode, graph_episode


def tasks(wins: int, count: int, trials: int = 1, scenario: str = "s") -> list[Episode]:
    """Return episodes in which the first `wins` tasks succeed in every trial and the others in none."""
    return [
        episode(task_id=f"{scenario}-{i:03}", scenario=scenario, trial=trial, success=i < wins, score=float(i < wins))
        for i in range(count)
        for trial in range(trials)
    ]


@pytest.mark.parametrize(
    ("share", "size", "low", "high"),
    # Values from R's binom.wilson.
    [(0.0, 50, 0.0, 0.071348), (1.0, 4, 0.510109, 1.0), (0.5, 10, 0.236593, 0.763407), (0.1, 30, 0.034602, 0.256206)],
)
def test_wilson_by_hand(share: float, size: int, low: float, high: float) -> None:
    assert wilson(share, size) == pytest.approx((low, high), abs=1e-5)


@pytest.mark.parametrize(("wins", "count"), [(0, 50), (4, 4), (50, 50), (0, 2), (1, 3), (25, 50)])
def test_no_share_of_a_report_is_a_point(wins: int, count: int) -> None:
    found = measure_stage(2, count, tasks(wins, count))
    shares = [found.metrics[name] for name in (*RIGHT, *(f"error_{kind}" for kind in found.errors))]
    shares += [*found.pass_hat.values()]
    groups = [group.metrics[name] for kind in found.groups.values() for group in kind.values() for name in RIGHT]
    shares += [metric for metric in groups if metric.low is not None]
    assert found.failures is not None
    shares += [cause.share for cause in found.failures.causes]
    for metric in shares:
        assert metric.value is not None and metric.low is not None and metric.high is not None
        assert metric.low < metric.high
        assert metric.low <= metric.value <= metric.high
    stage1 = measure_stage(1, 6, [graph_episode(task_id=f"g-{i}", success=wins > 0) for i in range(6)]).metrics
    for name in ("exact", "cyclic", "unreadable", "unknown_nodes", "cut_answers"):
        assert stage1[name].low != stage1[name].high


def test_the_printed_cases() -> None:
    none, every = summarise(tasks(0, 50))["success"], summarise(tasks(4, 4))["success"]
    assert (none.low, none.high) == (0.0, 0.071348)
    assert (every.low, every.high) == (0.510109, 1.0)
    single = summarise(tasks(1, 1))["success"]
    assert (single.value, single.low) == (1.0, None)


def test_trials_that_always_agree_say_no_more_than_one() -> None:
    once, often = summarise(tasks(6, 20))["success"], summarise(tasks(6, 20, trials=5))["success"]
    assert once.low is not None and once.high is not None and often.low is not None and often.high is not None
    assert often.high - often.low == pytest.approx(once.high - once.low, rel=0.06)
    none = summarise(tasks(0, 20, trials=5))["success"]
    assert none.high == wilson(0, 20)[1]


def test_trials_that_are_independent_say_more() -> None:
    rng = random.Random(3)
    runs = [episode(task_id=f"t-{i}", trial=k, success=rng.random() < 0.5) for i in range(40) for k in range(5)]
    found = summarise(runs)["success"]
    assert found.low is not None and found.high is not None
    assert found.high - found.low < 1.5 * (wilson(0.5, 200)[1] - wilson(0.5, 200)[0])


def test_pass_1_of_trials_is_the_success() -> None:
    rng = random.Random(5)
    runs = [episode(task_id=f"t-{i}", trial=k, success=rng.random() < 0.6) for i in range(15) for k in range(4)]
    assert astuple(pass_hat(runs)[1]) == pytest.approx(astuple(summarise(runs)["success"]))
    last = pass_hat(runs)[4]
    assert last.value is not None and (last.low, last.high) == wilson(round(last.value * 15) / 15, 15)


def test_several_scenarios_that_were_all_won_are_not_certain() -> None:
    groups = [tasks(5, 5, scenario=name) for name in "abcd"]
    found = macro(groups, names=["success", "score"])
    assert found["success"].value == 1.0
    ends = of_mean([1.0] * 4, [wilson(1.0, 5)] * 4)
    assert (found["success"].low, found["success"].high) == ends
    assert ends[1] == 1.0 and wilson(1.0, 5)[0] < ends[0] < wilson(1.0, 20)[0] + 0.05
    transfer = measure_transfer([*tasks(5, 5, scenario="a"), *tasks(0, 5, scenario="b")], ["b"], names=("success",))
    assert transfer is not None
    difference = transfer.figures[DIFFERENCE]["success"]
    assert (difference.value, difference.low) == (-1.0, -1.0)
    assert (difference.low, difference.high) == of_difference(0.0, wilson(0.0, 5), 1.0, wilson(1.0, 5))
    assert difference.high is not None and -0.7 < difference.high < -0.2


def test_a_bootstrap_of_a_few_tasks_without_spread_is_not_believed() -> None:
    few, many = summarise(tasks(3, 3))["score"], summarise(tasks(FEW, FEW))["score"]
    assert (few.low, few.high) == of_constant(1.0, (0.0, 1.0), 3) == wilson(1.0, 3)
    assert (many.low, many.high) == (1.0, 1.0)
    halves = [episode(task_id=f"t-{i}", score=0.5, steps=4) for i in range(3)]
    found = summarise(halves)
    assert found["score"].low is not None and found["score"].high is not None
    assert 0.2 < found["score"].low < 0.5 < found["score"].high < 0.8
    assert found["steps"] == Metric(4.0), "nothing bounds a count, so nothing is said"


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_whatever_was_won_the_interval_holds_the_share(pairs: list[tuple[int, int]]) -> None:
    hits, trials = [min(pair) for pair in pairs], [max(pair) for pair in pairs]
    found = of_share(hits, trials)
    if sum(map(bool, trials)) < 2:
        assert found is None
        return
    assert found is not None
    share = sum(hits) / sum(trials)
    assert 0 <= found[0] <= share + 1e-6 and share - 1e-6 <= found[1] <= 1 and found[0] < found[1]
    assert of_share(hits[::-1], trials[::-1]) == pytest.approx(found)


@pytest.mark.parametrize("chance", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("trials", [1, 4])
def test_the_interval_covers_as_often_as_it_says(chance: float, trials: int) -> None:
    """Check the coverage for 30 tasks of very different difficulty, whose trials are therefore correlated."""
    rng = random.Random(7)
    held = 0
    for _ in range(400):
        hits = []
        for _ in range(30):
            mine = rng.betavariate(2 * chance, 2 * (1 - chance))
            hits.append(sum(rng.random() < mine for _ in range(trials)))
        found = of_share(hits, [trials] * 30)
        assert found is not None
        held += found[0] <= chance <= found[1]
    assert held >= 0.9 * 400
