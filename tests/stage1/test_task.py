"""Tasks of stage 1: ids, samples of distractors, and options."""

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.base.text import fingerprint
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import SCENARIOS
from teller_gym.stage1 import task as stage1
from teller_gym.stage1.task import SIZES, GraphTask, find_graph_task, gold_of, pool_of, reserved_distractors
from teller_gym.tools.tool import Category
from teller_gym.variation.pool import distractors

EVERYTHING = len(distractors())
RESERVED = reserved_distractors()


def graph_task(scenario: str, split: str, number: int, distractors: int | str = 40) -> GraphTask:
    """Return a task under the tools' own names."""
    return stage1.graph_task(scenario, split, number, distractors=distractors, schema_shift=False)


def sample(task: GraphTask) -> set[str]:
    kinds = (Category.FINANCIAL_DISTRACTOR, Category.GENERAL_DISTRACTOR)
    return {tool.name for tool in pool_of(task).tools.of(*kinds)}


@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
@pytest.mark.parametrize("split", list(SIZES))
@pytest.mark.parametrize("count", [0, 1, 40, "all"])
def test_a_pool_is_the_scenario_and_so_many_distractors(scenario: str, split: str, count: int | str) -> None:
    task = graph_task(scenario, split, 3, distractors=count)
    assert task.count == (EVERYTHING if count == "all" else count) == len(sample(task))
    assert set(pool_of(task).tools) == set(load_scenario(scenario).tools) | sample(task)
    assert set(gold_of(task).nodes) == set(load_scenario(scenario).graph.nodes) <= set(pool_of(task).tools)
    assert len(gold_of(task).edges) == len(load_scenario(scenario).graph.edges)


def test_an_id_means_one_thing_for_ever() -> None:
    """A change of these values changes the benchmark and requires a new version of the environment."""
    for split, expected in (("train", "1b0d60ca8a4c"), ("validation", "76daef09cc7d"), ("heldout", "79995a2d9fb4")):
        order = list(pool_of(graph_task("loans", split, 7)).tools)
        assert fingerprint(order)[:12] == expected


def test_ids_and_tasks_are_one_to_one() -> None:
    for split, size in SIZES.items():
        for number in (0, size - 1):
            task = graph_task("loans", split, number, distractors=5)
            assert task.id == f"loans-graph-{split}-{number}"
            assert find_graph_task("loans", task.id, distractors=5, schema_shift=False) == task


def test_held_out_samples_are_never_seen_in_training() -> None:
    assert len(RESERVED) == EVERYTHING // 5
    for count in (1, 4, 40, EVERYTHING - len(RESERVED)):
        for number in range(0, 50, 7):
            assert sample(graph_task("loans", "heldout", number, distractors=count)) & RESERVED
    for split in ("train", "validation"):
        for number in range(16):
            assert not sample(graph_task("loans", split, number, distractors=60)) & RESERVED
    every = [sample(graph_task("loans", "heldout", number)) for number in range(50)]
    assert set().union(*every) >= RESERVED
    assert len({frozenset(names) for names in every}) == 50


def test_a_larger_sample_contains_a_smaller_one_in_the_same_order() -> None:
    for split in SIZES:
        small, large, full = (
            list(pool_of(graph_task("loans", split, 2, distractors=count)).tools) for count in (10, 80, "all")
        )
        assert set(small) < set(large) < set(full)
        assert small == [name for name in full if name in small]
        assert large == [name for name in full if name in large]


def test_the_order_differs_from_task_to_task() -> None:
    tasks = [graph_task("loans", split, number, distractors="all") for split in SIZES for number in range(4)]
    assert len({tuple(pool_of(task).tools) for task in tasks}) == len(tasks)


@pytest.mark.parametrize("split", list(SIZES))
def test_a_shifted_schema_renames_the_pool_and_the_gold_graph_with_it(split: str) -> None:
    for number in range(3):
        plain = graph_task("loans", split, number)
        shifted = stage1.graph_task("loans", split, number, distractors=40)
        names, tools = pool_of(shifted).names, pool_of(shifted).tools
        assert (plain.id, shifted.schema_shift) == (shifted.id, True)
        assert set(names) == set(pool_of(plain).tools) and set(names.values()) == set(tools)
        assert len(tools) == len(names)
        gold = gold_of(plain)
        assert gold_of(shifted).nodes == tuple(names[name] for name in gold.nodes)
        assert gold_of(shifted).edges == tuple((names[up], names[down]) for up, down in gold.edges)


def test_too_many_distractors_for_a_sample() -> None:
    most = EVERYTHING - len(RESERVED)
    assert len(sample(graph_task("loans", "heldout", 1, distractors=EVERYTHING - 1))) == EVERYTHING - 1
    assert len(sample(graph_task("loans", "train", 1, distractors=most))) == most
    with pytest.raises(OptionError, match=f"'all' or a number from 0 to {most} in split train .*got {most + 1}"):
        graph_task("loans", "train", 1, distractors=most + 1)


@pytest.mark.parametrize(
    ("scenario", "split", "number", "message"),
    [
        ("boats", "train", 1, "scenario: expected one of"),
        ("loans", "generated", 1, "split: expected one of train, validation, heldout, got 'generated'"),
        ("loans", "heldout", 50, "number: expected 0 … 49 in split heldout, got 50"),
        ("loans", "train", -1, "number: expected 0"),
        ("loans", "train", True, "number: expected 0 .*got True"),
    ],
)
def test_unknown_tasks(scenario: str, split: str, number: int, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        graph_task(scenario, split, number)


@pytest.mark.parametrize(
    "task_id",
    ["loans-0001", "loans-graph-train-", "loans-graph-train-07", "loans-graph-heldout-50", "cards-graph-train-1",
     "loans-graph-train-²", "loans-graph-train-1\n", f"loans-graph-train-{10**18}", "", "None"],
)  # fmt: skip
def test_unknown_ids_name_what_is_allowed(task_id: str) -> None:
    with pytest.raises(
        OptionError, match=r"task_id: expected one of loans-graph-train-<0 … .*, loans-graph-validation-<0 "
    ):
        find_graph_task("loans", task_id)
