"""Difficulty: levels are monotone and bounded, tasks in a range are found again by id, and schedules are parsed."""

import math
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.procedure.graph import How
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.difficulty import (
    Difficulty,
    Reach,
    Schedule,
    bands,
    difficulty_of,
    generated_in_range,
    load_weights,
    parse_difficulty,
)
from teller_gym.tasks.store import LARGEST_SEED, find_task, generate_task

PARTS = ("required_calls", "branches", "computed", "distractors")
counts = st.integers(0, 400)
reaches = st.builds(Reach, nodes=counts, branches=counts, computed=counts, tools=counts)
difficulties = st.builds(
    Difficulty, required_calls=counts, branches=counts, computed=counts, distractors=counts, reach=reaches
)
unit = st.floats(0, 1)


@cache
def loans(count: int = 150) -> list[Task]:
    return [generate_task("loans", seed) for seed in range(count)]


def level(task: Task, distractors: int = 0) -> float:
    return difficulty_of(task, load_scenario(task.scenario), distractors).level


@given(difficulties, st.sampled_from(PARTS), st.integers(1, 100))
def test_the_level_is_bounded_and_never_falls_when_a_part_grows(harder: Difficulty, part: str, more: int) -> None:
    easier = harder
    harder = msgspec.structs.replace(easier, **{part: getattr(easier, part) + more})
    assert 0 <= easier.level <= harder.level <= 1


@pytest.mark.parametrize("part", PARTS)
def test_every_part_counts(part: str) -> None:
    reach = Reach(nodes=20, branches=14, computed=30, tools=41)
    easier = Difficulty(required_calls=10, branches=7, computed=15, distractors=5, reach=reach)
    assert msgspec.structs.replace(easier, **{part: getattr(easier, part) + 1}).level > easier.level


def test_the_level_is_the_documented_formula() -> None:
    """The parts are a half, a half, a fifth and a half of their maxima."""
    reach = Reach(nodes=20, branches=14, computed=30, tools=40)
    half = Difficulty(required_calls=15, branches=7, computed=9, distractors=40, reach=reach)
    weights = load_weights()
    expected = weights.required_calls * 15 / 30 + weights.branches / 2 + weights.computed * 9 / 45
    assert half.level == pytest.approx(expected + weights.distractors / 2)


def test_a_scenario_without_computed_values_or_branches_has_levels() -> None:
    assert 0 < Difficulty(required_calls=3, branches=0, computed=0, distractors=0, reach=Reach(5, 0, 0, 5)).level < 1


def test_parts_are_counted_on_the_standard_result() -> None:
    task = next(task for task in loans() if task.standard.calls[-2].name == "issue_loan_disclosure")
    found = difficulty_of(task, load_scenario("loans"), 7)
    assert found.required_calls == len(task.standard.calls) and found.distractors == 7
    assert found.branches == sum(outcome != "not_reached" for outcome in task.branches.values())
    nodes = load_scenario("loans").graph.nodes
    computed = [
        (call.name, name)
        for call in task.standard.calls
        for name in call.arguments
        if nodes[call.name].inputs[name].how in (How.DERIVE, How.DECIDE)
    ]
    assert found.computed == len(computed) > 0
    assert ("submit_final_review", "action_due_date") in computed, "output fields count"
    assert found.reach == Reach(nodes=20, branches=14, computed=30, tools=41)


def test_harder_work_has_a_higher_level() -> None:
    """Levels rise from incomplete applications over early denials and approvals to joint counter-offers."""

    def mean(wanted: Any) -> float:
        levels = [level(task) for task in loans(400) if wanted(task.standard.outputs, task.branches)]
        assert len(levels) >= 3
        return math.fsum(levels) / len(levels)

    incomplete = mean(lambda out, _: (out["decision"], out["routing"]) == ("incomplete", "intake"))
    early = mean(lambda out, by: out["decision"] == "deny" and by["identity"] == "failed")
    single = mean(lambda out, by: out["decision"] == "approve" and by["applicants"] == "single")
    joint = mean(lambda out, by: out["decision"] == "approve" and by["applicants"] == "joint")
    offer = mean(lambda out, by: out["decision"] == "counter_offer" and by["applicants"] == "joint")
    assert incomplete < early < single < joint < offer
    assert offer - incomplete > 0.3, "levels are spread"


def test_distractors_must_be_a_number() -> None:
    with pytest.raises(OptionError, match="0 or more, got -1"):
        level(loans()[0], -1)


# -- tasks in a range -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 77, LARGEST_SEED])
@pytest.mark.parametrize(("low", "high"), [(0.0, 0.25), (0.3, 0.4), (0.6, 1.0)])
def test_a_task_in_the_range_is_found_and_found_again(seed: int, low: float, high: float) -> None:
    task = generated_in_range("loans", seed, low, high)
    assert low <= level(task) <= high
    assert find_task("loans", task.id) == task == generated_in_range("loans", seed, low, high)


def test_a_task_that_lies_in_the_range_is_taken_as_it_is() -> None:
    assert generated_in_range("loans", 12, 0, 1) == generate_task("loans", 12)


def test_neighbouring_seeds_lead_to_different_tasks() -> None:
    found = [generated_in_range("loans", seed, 0.6, 1).id for seed in range(20)]
    assert len(set(found)) == 20


def test_distractors_lift_the_levels() -> None:
    task = generated_in_range("loans", 5, 0.8, 1.0, distractors=243)
    assert level(task) < 0.8 <= level(task, 243)


def test_a_range_without_tasks_is_told_with_the_levels_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teller_gym.tasks.difficulty.TRIES", 40)
    with pytest.raises(
        OptionError, match=r"got 0\.9 to 1; of 40 tasks with 0 distractors, levels are 0\.1\d to 0\.\d\d"
    ):
        generated_in_range("loans", 0, 0.9, 1)


@pytest.mark.parametrize("ends", [(0.5, 0.4), (-0.1, 1), (0, 1.1), (math.nan, 1), (0, math.nan), ("0", 1), (True, 1)])
def test_a_range_that_is_none_is_refused(ends: tuple[Any, Any]) -> None:
    for attempt in (lambda: generated_in_range("loans", 0, *ends), lambda: parse_difficulty(ends)):
        with pytest.raises(OptionError, match="0 <= low <= high <= 1"):
            attempt()


def test_a_seed_that_is_none_is_refused() -> None:
    with pytest.raises(OptionError, match="seed"):
        generated_in_range("loans", LARGEST_SEED + 1, 0, 1)


def test_bands_are_disjoint_cover_all_and_hold_about_equal_shares() -> None:
    cut = bands("loans", 4)
    assert cut[0][0] == 0 and cut[-1][1] == 1
    assert all(high == math.nextafter(low, 0) for (_, high), (low, _) in pairwise(cut))
    fresh = [level(generate_task("loans", 10_000 + seed)) for seed in range(200)]
    shares = [sum(low <= one <= high for one in fresh) / len(fresh) for low, high in cut]
    assert sum(shares) == pytest.approx(1) and min(shares) > 0.1


def test_too_many_bands_are_refused() -> None:
    with pytest.raises(OptionError, match="do not make 100 ranges"):
        bands("loans", 100)
    with pytest.raises(OptionError, match="1 or more, got 0"):
        bands("loans", 0)


# -- schedules ------------------------------------------------------------------------------------------------------

ranges = st.tuples(unit, unit).map(lambda pair: (min(pair), max(pair)))


def test_none_is_every_level() -> None:
    assert parse_difficulty(None) == Schedule()
    assert parse_difficulty(None).range_at(0) == parse_difficulty(None).range_at(10**9) == (0.0, 1.0)


@given(ranges, st.integers(0, 10**6), st.sampled_from([tuple, list]))
def test_a_pair_holds_for_ever(pair: tuple[float, float], episode: int, make: Any) -> None:
    assert parse_difficulty(make(pair)).range_at(episode) == pair


@given(st.lists(st.tuples(st.integers(1, 5), ranges), min_size=1, max_size=5))
def test_a_schedule_goes_through_its_stages(stages: list[tuple[int, tuple[float, float]]]) -> None:
    expected = [pair for episodes, pair in stages for _ in range(episodes)]
    for value in (stages, tuple(stages), [[episodes, list(pair)] for episodes, pair in stages]):
        schedule = parse_difficulty(value)
        assert [schedule.range_at(episode) for episode in range(len(expected))] == expected
        assert schedule.range_at(len(expected) + 3) == stages[-1][1]


def test_lists_of_a_configuration_are_read() -> None:
    omegaconf = pytest.importorskip("omegaconf")
    value = omegaconf.OmegaConf.create([[10, [0, 0.3]], [5, [0.3, 1]]])
    assert parse_difficulty(value) == parse_difficulty([(10, (0, 0.3)), (5, (0.3, 1))])


@pytest.mark.parametrize(
    "value",
    [
        [], (), 0.5, "hard", "01", {"low": 0}, [0.1], [0.1, 0.2, 0.3], [[0, (0, 1)]], [[-1, (0, 1)]], [[1.0, (0, 1)]],
        [[True, (0, 1)]], [[5, 0.3]], [[5, (0, 1), 2]], [[5, (0, 1)], 3], [3, (0, 1)], [[5, (0.1,)]],
        [(0, 0.5), (0.5, 1)],
    ],
)  # fmt: skip
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(OptionError, match="difficulty: expected"):
        parse_difficulty(value)


junk = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.just("0"), st.lists, max_leaves=6)


@given(junk)
def test_whatever_comes_is_a_schedule_or_an_error_of_ours(value: Any) -> None:
    try:
        low, high = parse_difficulty(value).range_at(3)
    except OptionError:
        return
    assert 0 <= low <= high <= 1
