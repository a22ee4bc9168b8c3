"""The data of the pages agree with the records of the episodes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from teller_gym.evaluation.measures.metrics import summarise
from teller_gym.evaluation.records.episode import Episode, Times
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.procedure.scenario import load_scenario
from teller_gym.viewer.path_taken import MOST_STRAY, State, path_taken, states
from teller_gym.viewer.reconstruction import MOST_EDGES, MOST_NODES, compared
from teller_gym.viewer.records import detail, row
from tests.evaluation.samples import episode, fault, graph_episode
from tests.evaluation.samples import turn as sample_turn
from tests.viewer.hostile import turn

GRAPH = load_scenario("loans").graph
Played = dict[str, Path]


def episodes(played: Played, name: str) -> list[Episode]:
    return load_run(played[name])[1]


def keeper() -> tuple[list[str], Callable[[str], int]]:
    texts: list[str] = []

    def keep(text: str) -> int:
        texts.append(text)
        return len(texts) - 1

    return texts, keep


def test_the_expert_s_path_is_right_from_beginning_to_end(played: Played) -> None:
    for one in episodes(played, "expert"):
        state = states(one, GRAPH.nodes)
        assert {name for name, kind in state.items() if kind is State.RIGHT} == set(one["required_tools"])
        assert set(state.values()) <= {State.RIGHT, State.UNUSED}
        path = path_taken(one, GRAPH)
        steps = sorted(step for _, _, numbers in path["states"] for step in numbers)
        assert steps == list(range(1, one["steps"] + 1))
        assert path["stray"] == []
        assert [node[0] for node in path["own"]["nodes"]] == [n for n in GRAPH.nodes if n in one["required_tools"]]


def test_a_row_and_an_episode_tell_of_cause_times_and_tokens() -> None:
    root = fault("wrong_value", "check", "rows", step=1, clause="5.2", expected=["a"], got=[], reason="rows should be")
    later, good = fault("missing_call", "submit", step=2), fault("failed_call", "look", made_good=True)
    steps = [{**sample_turn("call"), "model": {"prompt": 5, "completion": 2}}, sample_turn("call")]
    one = episode(faults=[root, later, good], trace=steps, accurate=True)
    assert row(one)["cause"] == "check.rows wrong"
    assert (row(one)["accurate"], row(one)["success"], row(one)["clean"]) == (True, False, False)
    shown = detail(one, None, keeper()[1], Times(1.5, (0.5, 0.75)))
    assert shown["cause"] == {
        "name": "check.rows wrong", "step": 2, "clause": "5.2", "field": None, "expected": '["a"]', "got": "[]",
        "reason": "rows should be",
    }  # fmt: skip
    assert [each["name"] for each in shown["consequences"]] == ["submit missing"]
    assert [each["name"] for each in shown["made_good"]] == ["look refused"]
    assert (shown["wall_s"], [step["seconds"] for step in shown["steps"]]) == (1.5, [0.5, 0.75])
    assert shown["steps"][0]["model"] == {"prompt": 5, "completion": 2}
    unknown = detail(one, None, keeper()[1])
    assert (unknown["wall_s"], [step["seconds"] for step in unknown["steps"]]) == (None, [None, None])
    won = episode(success=True, faults=[good])
    assert (row(won)["cause"], detail(won, None, keeper()[1])["cause"]) == (None, None)


def test_states_follow_checkpoints_and_calls(played: Played) -> None:
    seen = set()
    for one in episodes(played, "careless") + episodes(played, "call_everything"):
        if one["status"] == "invalid":
            continue
        called = {turn["original"] or turn["tool"] for turn in one["trace"] if turn["kind"] == "call"}
        passed = {check["checkpoint"] for check in one["checkpoints"] if check["passed"]}
        for name, kind in states(one, GRAPH.nodes).items():
            seen.add(kind)
            assert (f"call:{name}" in passed) == (kind is State.RIGHT)
            assert (name in one["required_tools"]) == (kind in (State.RIGHT, State.WRONG, State.MISSING))
            assert (name in called) == (kind not in (State.MISSING, State.UNUSED))
            assert (name in one["tools"]) != (kind is State.UNKNOWN)
    assert seen == set(State)


def test_without_the_graph_states_are_listed_and_made_up_tools_are_limited(played: Played) -> None:
    path = path_taken(next(one for one in episodes(played, "careless") if one["invoked_tools"]), None)
    assert path["own"] is None
    assert [name for name, *_ in path["states"]] == [name for name, _ in path["stray"]] != []
    path = path_taken(episode(trace=[turn("", tool=f"tool_{i}") for i in range(500)]), GRAPH)
    assert (len(path["stray"]), path["more"]) == (MOST_STRAY, 500 - MOST_STRAY)


def test_nodes_and_edges_of_an_answer_are_told_apart(played: Played) -> None:
    gold_nodes, gold_edges = set(GRAPH.nodes), {(edge.upstream, edge.downstream) for edge in GRAPH.edges}
    for one in episodes(played, "roughly"):
        answer = one["graph"]
        assert answer is not None
        shown = compared(answer, GRAPH)
        given_edges = {(up, down) for up, down in answer["edges"]}
        for what, gold, given in (("nodes", gold_nodes, set(answer["nodes"])), ("edges", gold_edges, given_edges)):
            found = {k: {tuple(i) if what == "edges" else i for i in v} for k, v in shown[what].items()}
            assert found == {"common": gold & given, "missing": gold - given, "added": given - gold}
        terms = one["reward_terms"]
        assert terms["edge_recall"] == pytest.approx(len(shown["edges"]["common"]) / len(gold_edges))
        assert terms["node_precision"] == pytest.approx(len(shown["nodes"]["common"]) / len(answer["nodes"]))
        assert {node[0] for node in shown["drawing"]["nodes"]} == gold_nodes | set(answer["nodes"])


def test_a_monstrous_answer_is_drawn_in_part_and_listed_whole() -> None:
    names = [f"made_up_{i}" for i in range(200)]
    edges = [[one, two] for one in names for two in (*GRAPH.nodes, *names[:9])]
    one = graph_episode(graph={"nodes": [*names, *GRAPH.nodes], "edges": edges})
    shown = compared(one["graph"], GRAPH)
    assert len(shown["drawing"]["nodes"]) == MOST_NODES
    assert len(shown["drawing"]["edges"]) == MOST_EDGES
    assert len(shown["edges"]["added"]) == len(edges)
    assert shown["left_out"] == [220 - MOST_NODES, len(edges) - (MOST_EDGES - len(GRAPH.edges))]


def test_no_answer_leaves_everything_missing() -> None:
    nodes, edges = (compared(None, GRAPH)[what] for what in ("nodes", "edges"))
    assert len(edges["missing"]) == len(GRAPH.edges) and nodes["common"] == nodes["added"] == []


def test_steps_hold_what_was_written_and_answered(played: Played) -> None:
    for one in episodes(played, "careless"):
        texts, keep = keeper()
        shown = detail(one, GRAPH, keep)
        assert [texts[place] for _, place in shown["prompt"]] == [m["content"] for m in one["messages"][:2]]
        for step, said in zip(shown["steps"], one["trace"], strict=True):
            assert all(step[key] == dict(said)[key] for key in ("action", "result", "error"))
            if "arguments" in step:
                call = said["action"].rpartition("<tool_call>")[2].partition("</tool_call>")[0]
                assert json.loads(step["arguments"]) == json.loads(call)["arguments"]
            else:
                assert said["kind"] != "call"


def test_fields_say_what_was_expected_and_what_came(played: Played) -> None:
    for one in episodes(played, "expert"):
        for field in detail(one, GRAPH, keeper()[1])["fields"]:
            assert field["passed"]
            assert field["got"] == repr(one["outputs"][field["name"]])
    for reason, expected, got in (
        ("expected 'a, got b', got 'c'", "'a, got b'", "'c'"),
        ("expected 1.0, nothing was submitted", "1.0", None),
        ("who knows", None, None),
    ):
        check = {"checkpoint": "field:x", "passed": False, "reason": reason}
        (field,) = detail(episode(checkpoints=[check]), None, keeper()[1])["fields"]
        assert (field["expected"], field["got"], field["reason"]) == (expected, got, reason)


def test_an_invalid_episode_has_no_score() -> None:
    shown = row(episode(status="invalid", failure="the endpoint: gone", score=0.0))
    assert (shown["score"], shown["success"], shown["steps"]) == (None, None, None)
    assert shown["final"] == "the endpoint: gone"


def test_errors_are_those_of_the_shares() -> None:
    """The kinds `blank` and `budget`, which are not in the record, are derived like in the report."""
    cases = [
        episode(trace=[sample_turn("response")]),
        episode(trace=[sample_turn("malformed")], error_counts={"malformed": 3}),
        episode(trace=[sample_turn("call")], status="truncated", error_counts={"type": 2}),
        episode(trace=[sample_turn("call")], error_counts={"surprise": 1}),
        episode(trace=[sample_turn("call")]),
    ]
    shown = [row(one)["errors"] for one in cases]
    assert shown == [{"blank": 1}, {"blank": 1, "malformed": 3}, {"type": 2, "budget": 1}, {"surprise": 1}, {}]
    for kind in {kind for errors in shown for kind in errors}:
        share = summarise(cases, resamples=0)[f"error_{kind}"].value
        assert share == pytest.approx(sum(kind in errors for errors in shown) / len(cases))
    assert row(episode(status="invalid", trace=[]))["errors"] == row(graph_episode(trace=[]))["errors"] == {}


def test_arguments_nested_too_deeply_are_shown_as_they_were_written() -> None:
    deep = '{"name":"t","arguments":{"a":' + "[" * 900 + "]" * 900 + "}}"
    long = '{"name":"t","arguments":{"a":1' + "0" * 9000 + "}}"
    shown = detail(episode(trace=[turn(deep), turn(long)]), None, keeper()[1])
    assert shown["steps"][0]["action"] == deep
    assert json.loads(shown["steps"][0]["arguments"]) == json.loads(deep)["arguments"]
