"""Paired comparison of runs, checked against values computed by hand and by enumeration."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.evaluation.measures.bootstrap import Resampler, interval
from teller_gym.evaluation.measures.paired import mcnemar, paired
from teller_gym.evaluation.records.episode import Episode, Status
from tests.evaluation.samples import episode, graph_episode, runs


@given(st.integers(0, 7), st.integers(0, 7))
def test_mcnemar_counts_out_every_toss(won: int, lost: int) -> None:
    total = won + lost
    uneven = sum(abs(2 * sum(tosses) - total) >= abs(won - lost) for tosses in product((0, 1), repeat=total))
    assert mcnemar(won, lost) == pytest.approx(uneven / 2**total)


def test_mcnemar_by_hand() -> None:
    assert mcnemar(2, 8) == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert mcnemar(500, 600) == mcnemar(600, 500) < 0.01


def run_of(successes: str, **values: Any) -> list[Episode]:
    """Return an episode for each sign: + succeeded, - failed, x is invalid."""
    status = {"x": Status.INVALID}
    return [
        episode(
            task_id=f"t-{i}", success=sign == "+", score=float(sign == "+"),
            status=status.get(sign, Status.FINISHED), **values,
        )
        for i, sign in enumerate(successes)
    ]  # fmt: skip


def test_which_tasks_changed() -> None:
    found = paired(run_of("++--x+"), run_of("+-+-+x"), resamples=100)
    assert (found.common, found.only_run, found.only_baseline) == (4, 1, 1)
    assert (found.won, found.lost) == (("t-1",), ("t-2",))
    assert found.p_value == 1
    accuracy = found.differences["accuracy"]
    assert (accuracy.run, accuracy.baseline, accuracy.difference.value) == (0.5, 0.5, 0)
    assert list(found.differences) == ["success", "accuracy", "clean_success", "score", "tool_f1"]


def test_a_run_against_itself_has_no_difference() -> None:
    run = run_of("++--+")
    found = paired(run, run, resamples=100)
    assert (found.won, found.lost, found.p_value) == ((), (), 1)
    assert {(one.difference.low, one.difference.high) for one in found.differences.values()} == {(0, 0)}


def test_several_trials_have_an_interval_and_no_test() -> None:
    once = run_of("+-")
    often = [*run_of("--"), *run_of("+-", trial=1)]
    found = paired(often, once, resamples=100)
    assert found.p_value is None
    assert (found.won, found.lost) == ((), ("t-0",))
    assert found.differences["accuracy"].difference.value == -0.25


def test_without_common_tasks_there_is_nothing_to_say() -> None:
    found = paired(run_of("++"), [graph_episode()], resamples=100)
    assert (found.common, found.only_run, found.only_baseline, found.p_value) == (0, 2, 0, None)
    assert found.differences["score"].difference.value is None


def test_stage_1_has_its_own_metrics() -> None:
    ours = [graph_episode(task_id=f"g-{i}", terms={"edge_f1": 0.75}, success=True) for i in range(3)]
    theirs = [graph_episode(task_id=f"g-{i}", terms={"edge_f1": 0.25 * i}) for i in range(3)]
    found = paired(ours, [*theirs, *run_of("+")], stage=1, resamples=500)
    assert found.only_baseline == 0
    edges = found.differences["edge_f1"]
    assert (edges.run, edges.baseline) == (0.75, 0.25)
    assert (edges.difference.low, edges.difference.high) == (0.25, 0.75)
    assert len(found.won) == 3
    assert found.p_value == 0.25


@given(runs(), runs())
@settings(deadline=None, max_examples=12)
def test_a_slow_computation_gives_the_same(run: list[Episode], baseline: list[Episode]) -> None:
    found = paired(run, baseline, seed=3, resamples=40)

    def score(episodes: list[Episode], task: str) -> float | None:
        values = [one["score"] for one in episodes if one["task_id"] == task and one["status"] != "invalid"]
        return sum(values) / len(values) if values else None

    gains = []
    for task in sorted({one["task_id"] for one in [*run, *baseline]}):
        ours, theirs = score(run, task), score(baseline, task)
        if ours is not None and theirs is not None:
            gains.append(ours - theirs)
    difference = found.differences["score"].difference
    assert found.common == len(gains)
    if gains:
        assert difference.value == pytest.approx(sum(gains) / len(gains))
    if len(gains) > 1:
        draws = Resampler(len(gains), 3, 40)._draws.tolist()
        ends = interval(sorted(sum(gains[i] for i in draw) / len(gains) for draw in draws))
        assert (difference.low, difference.high) == pytest.approx(ends, abs=1e-5)
    back = paired(baseline, run, seed=3, resamples=40)
    assert (back.won, back.lost, back.p_value) == (found.lost, found.won, found.p_value)
