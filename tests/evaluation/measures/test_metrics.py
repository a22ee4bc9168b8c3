"""The metrics compared with a second, slow computation and with results computed by hand."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from teller_gym.agents.base import Prices
from teller_gym.evaluation.measures.metrics import by_group, macro, pass_hat, summarise
from teller_gym.evaluation.measures.stage2 import tool_f1, tool_precision, tool_recall
from teller_gym.evaluation.records.episode import ERROR_KINDS, Episode, Kind, Status
from teller_gym.stage1.answer import read_answer
from teller_gym.stage1.metrics import METRICS as GRAPH_METRICS
from tests.evaluation.samples import NAMES, episode, graph_episode, graph_episodes, runs, turn

RESAMPLES = 50


def slow_tools(one: Episode) -> tuple[float, float, float]:
    """Compute precision, recall and F1 by counting names one by one."""
    both = invoked = required = 0
    for name in NAMES:
        invoked += name in one["invoked_tools"]
        required += name in one["required_tools"]
        both += name in one["invoked_tools"] and name in one["required_tools"]
    if invoked == required == 0:
        return 1.0, 1.0, 1.0
    precision = both / invoked if invoked else 0.0
    recall = both / required if required else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0


def slow_error(one: Episode, kind: str) -> bool:
    if kind == "blank":
        return [step for step in one["trace"] if step["kind"] == "call"] == []
    if kind == "budget":
        return one["status"] == "truncated" or "budget" in one["error_counts"]
    return kind in one["error_counts"]


def slow(run: list[Episode]) -> dict[str, float | None]:
    """Compute every metric with a loop of its own."""
    counted = [one for one in run if one["status"] != "invalid"]

    def mean(values: list[Any]) -> float | None:
        total, count = 0.0, 0
        for value in values:
            if value is not None:
                total, count = total + value, count + 1
        return total / count if count else None

    calls, good = 0, 0
    for one in counted:
        calls, good = calls + one["attempts"], good + one["valid_calls"]
    figures = {
        "score": mean([one["score"] for one in counted]),
        "accuracy": mean([1 if one["accurate"] else 0 for one in counted]),
        "success": mean([1 if one["success"] else 0 for one in counted]),
        "clean_success": mean([1 if one["clean"] else 0 for one in counted]),
        "checkpoints": mean([one["reward_terms"]["checkpoints"] for one in counted]),
        "parameters": mean([one["reward_terms"]["parameters"] for one in counted]),
        "tool_precision": mean([slow_tools(one)[0] for one in counted]),
        "tool_recall": mean([slow_tools(one)[1] for one in counted]),
        "tool_f1": mean([slow_tools(one)[2] for one in counted]),
        "tool_gap": mean([slow_tools(one)[0] - slow_tools(one)[1] for one in counted]),
        "valid_calls": good / calls if calls else None,
        "steps": mean([one["steps"] for one in counted]),
        "prompt_tokens": mean([one["tokens"] and one["tokens"]["prompt"] for one in counted]),
        "completion_tokens": mean([one["tokens"] and one["tokens"]["completion"] for one in counted]),
        "cost_usd": mean([one["tokens"] and (one["tokens"]["prompt"] * 3 + 5 * 15) / 1e6 for one in counted]),
    }
    return figures | {f"error_{kind}": mean([slow_error(one, kind) for one in counted]) for kind in ERROR_KINDS}


@given(runs())
@example([])
@settings(deadline=None, max_examples=25)
def test_a_slow_computation_gives_the_same(run: list[Episode]) -> None:
    expected = slow(run)
    found = {name: metric.value for name, metric in summarise(run, prices=Prices(3, 15), resamples=0).items()}
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == (None if value is None else pytest.approx(value, abs=1e-12)), name


@given(runs(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=15)
def test_order_and_invalid_episodes_do_not_matter(run: list[Episode], random: Any) -> None:
    shuffled = list(run)
    random.shuffle(shuffled)
    cleaned = [one for one in shuffled if one["status"] != Status.INVALID]
    assert summarise(cleaned, resamples=RESAMPLES) == summarise(run, resamples=RESAMPLES)
    assert pass_hat(cleaned, resamples=RESAMPLES) == pass_hat(run, resamples=RESAMPLES)


@given(runs())
@settings(deadline=None, max_examples=15)
def test_intervals_hold_together(run: list[Episode]) -> None:
    for name, metric in summarise(run, resamples=RESAMPLES).items():
        assert (metric.low is None) == (metric.high is None), name
        if metric.low is not None and metric.high is not None:
            assert metric.low <= metric.high
            parts = [one["task_id"] for one in run if one["status"] != Status.INVALID]
            assert len(set(parts)) > 1
        if metric.value is not None and name not in ("steps", "prompt_tokens", "completion_tokens"):
            assert (-1 if name == "tool_gap" else 0) <= metric.value <= 1


@given(st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES)))
def test_f1_is_the_harmonic_mean(required: set[str], invoked: set[str]) -> None:
    precision, recall = tool_precision(required, invoked), tool_recall(required, invoked)
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert tool_f1(required, invoked) == pytest.approx(expected)
    assert tool_precision(invoked, required) == recall


def test_tools_by_hand() -> None:
    required, invoked = ["a", "b", "c", "d"], ["a", "b", "x"]
    assert tool_precision(required, invoked) == pytest.approx(2 / 3)
    assert tool_recall(required, invoked) == 0.5
    assert tool_f1(required, invoked) == pytest.approx(4 / 7)
    assert (tool_precision(required, []), tool_recall(required, []), tool_f1(required, [])) == (0, 0, 0)
    assert (tool_precision([], []), tool_recall([], []), tool_f1([], [])) == (1, 1, 1)


def test_errors_by_hand() -> None:
    run = [
        episode(task_id="t-1", trace=[turn(Kind.RESPONSE)]),
        episode(task_id="t-2", trace=[turn(Kind.MALFORMED)], error_counts={"malformed": 3}),
        episode(task_id="t-3", trace=[turn(Kind.CALL)], status=Status.TRUNCATED),
        episode(task_id="t-4", trace=[turn(Kind.CALL)], error_counts={"type": 1, "surprise": 2}),
    ]
    shares = {name: metric.value for name, metric in summarise(run, resamples=0).items() if name.startswith("error_")}
    expected = {f"error_{kind}": 0.0 for kind in ERROR_KINDS}
    assert shares == expected | {
        "error_blank": 0.5, "error_malformed": 0.25, "error_budget": 0.25, "error_type": 0.25, "error_surprise": 0.25
    }  # fmt: skip


@given(runs())
@settings(deadline=None, max_examples=25)
def test_pass_hat_is_the_share_of_subsets_that_all_succeed(run: list[Episode]) -> None:
    trials: dict[str, list[bool]] = {}
    for one in run:
        if one["status"] != Status.INVALID:
            trials.setdefault(one["task_id"], []).append(one["success"])
    found = pass_hat(run, resamples=0)
    assert set(found) == set(range(1, max(map(len, trials.values()), default=0) + 1))
    for k, metric in found.items():
        shares = []
        for results in trials.values():
            subsets = list(combinations(results, k))
            if subsets:
                shares.append(sum(all(subset) for subset in subsets) / len(subsets))
        assert metric.value == pytest.approx(sum(shares) / len(shares))


def test_groups_leave_out_what_has_no_name() -> None:
    run = [
        episode(task_id="t-1", branches={"route": "a"}, score=1.0),
        episode(task_id="t-2", branches={"route": "a"}, score=0.5),
        episode(task_id="t-3", branches={}),
        episode(task_id="t-4", branches={"route": "b"}, status=Status.INVALID),
    ]
    groups = by_group(run, lambda one: one["branches"].get("route"), names=["score"])
    assert list(groups) == ["a"]
    size, metrics = groups["a"]
    assert (size, metrics["score"].value) == (2, 0.75)
    assert list(metrics) == ["score"]


@given(runs(graph_episodes()))
@settings(deadline=None, max_examples=12)
def test_stage_1_against_a_slow_computation(run: list[Episode]) -> None:
    counted = [one for one in run if one["status"] != "invalid"]
    found = summarise(run, stage=1, resamples=0)
    expected: dict[str, list[float]] = {name: [one["reward_terms"][name] for one in counted] for name in GRAPH_METRICS}
    expected["score"] = [one["score"] for one in counted]
    expected["exact"] = [one["success"] for one in counted]
    for name in ("cyclic", "readable"):
        expected[name] = [one["graph"][name] for one in counted if one["graph"]]
    expected["unreadable"] = [1 - value for value in expected.pop("readable")]
    for name, values in expected.items():
        mean = sum(values) / len(values) if values else None
        assert found[name].value == (None if mean is None else pytest.approx(mean)), name
    assert not any(name.startswith("error_") for name in found)


def test_unknown_nodes_are_those_that_the_reader_of_answers_tells_of() -> None:
    texts = {
        "g-1": '{"nodes": ["a", "z"], "edges": []}',
        "g-2": '{"nodes": ["a"], "edges": [["a", "a"]]}',
        "g-3": "No.",
    }
    answers = {task_id: read_answer(text, ["a", "b"]) for task_id, text in texts.items()}
    run = [
        graph_episode(
            task_id=task_id,
            graph={
                "readable": answer.readable,
                "cyclic": answer.graph.order is None,
                "problems": [problem.message for problem in answer.problems],
            },
        )
        for task_id, answer in answers.items()
    ]
    found = summarise(run, stage=1, resamples=0)
    assert [found[name].value for name in ("unknown_nodes", "cyclic", "unreadable")] == [pytest.approx(1 / 3)] * 3


def test_cost_by_hand() -> None:
    run = [
        episode(task_id="t-1", tokens={"prompt": 1_000_000, "completion": 0}),
        episode(task_id="t-2", tokens={"prompt": 0, "completion": 200_000}),
        episode(task_id="t-3"),
    ]
    assert summarise(run, prices=Prices(2, 10), resamples=0)["cost_usd"].value == 2.0
    assert summarise(run, resamples=0)["cost_usd"].value is None


def test_the_mean_over_groups_weighs_each_the_same() -> None:
    large = [episode(task_id=f"t-{i}", score=1.0) for i in range(9)]
    small = [episode(task_id="u-1", score=0.0), episode(task_id="u-2", score=0.5)]
    found = macro([large, small], names=["score", "valid_calls"], resamples=200)
    assert found["score"].value == pytest.approx((1 + 0.25) / 2)
    assert (found["score"].low, found["score"].high) == (0.5, 0.75)  # both draws of the small group may be 0 or ½
    assert found["valid_calls"].value is None


@given(runs(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=12)
def test_the_mean_over_groups_does_not_hang_on_order(run: list[Episode], random: Any) -> None:
    def grouped(episodes: list[Episode]) -> list[list[Episode]]:
        return [[one for one in episodes if one["scenario"] == name] for name in ("s", "r")]

    shuffled = list(run)
    random.shuffle(shuffled)
    names = ["score", "valid_calls"]
    assert macro(grouped(run), names=names, resamples=RESAMPLES) == macro(
        grouped(shuffled), names=names, resamples=RESAMPLES
    )
