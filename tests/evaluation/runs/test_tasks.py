"""Selection of tasks: stratified subsets are proportional, deterministic and nested."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.evaluation.runs.tasks import Chosen, Wanted, choose, episode_seed, stratified
from tests.evaluation.stub import SCENARIO

pytestmark = pytest.mark.usefixtures("stub_env")


def tasks(outcomes: list[tuple[str, str]]) -> list[Chosen]:
    return [
        Chosen(f"t-{i:03}", "s", "heldout", outcome, {"outcome": outcome, "route": route})
        for i, (outcome, route) in enumerate(outcomes)
    ]


_runs = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), min_size=1, max_size=40).map(tasks)


@given(_runs, st.data())
def test_a_part_is_spread_over_outcomes(run: list[Chosen], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(run)))
    part = stratified(run, n)
    assert len(part) == n
    assert part == [task for task in run if task in part]
    outcomes = {task.outcome for task in run}
    assert len({task.outcome for task in part}) == min(n, len(outcomes))
    for outcome in outcomes:
        whole = sum(task.outcome == outcome for task in run)
        share = sum(task.outcome == outcome for task in part)
        # At most one more than proportional, and one less for each of the other outcomes.
        assert n * whole / len(run) - len(outcomes) <= share <= n * whole / len(run) + 1


@given(_runs, st.data())
def test_a_smaller_part_is_contained_in_a_larger(run: list[Chosen], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(run)))
    ids = {task.id for task in stratified(run, n)}
    assert {task.id for task in stratified(run, max(1, n - 1))} <= ids


def test_every_branch_of_an_outcome_comes_first() -> None:
    run = tasks([("a", "x")] * 6 + [("a", "y")] * 2 + [("a", "z")])
    assert {task.branches["route"] for task in stratified(run, 3)} == {"x", "y", "z"}


def test_ids_keep_their_order() -> None:
    chosen = choose(SCENARIO, "heldout", Wanted(task_ids=["errands-0007", "errands-0002"]), outcome="verdict")
    assert [task.id for task in chosen] == ["errands-0007", "errands-0002"]


def test_seeds_are_the_same_for_ever() -> None:
    assert episode_seed(0, "loans-0001", 0) == 432213664
