"""The environment of stage 1: its Gymnasium interface, and the scores of the reference answers."""

import json
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.error import ResetNeeded
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.agents.graph_answers import GRAPH_ANSWERS, GraphAnswerer
from teller_gym.base.errors import OptionError
from teller_gym.envs.episode.graph_grade import CHECKPOINTS
from teller_gym.envs.graph import REWARDS, GraphEnv
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import ENVS, EXECUTION, SCENARIOS
from teller_gym.stage1.metrics import METRICS
from teller_gym.stage1.task import gold_of
from tests.envs.play import INFO_KEYS

IDS = [card.id for card in ENVS if card.entry_point.endswith(":GraphEnv")]
CONNECTED = ("edge_", "path_", "reachability_")
OVERLAPS = ("node_overlap", "edge_overlap", "path_overlap")


def make(**options: Any) -> GraphEnv:
    return GraphEnv(**{"scenario": "loans", "distractors": 5, "schema_shift": False, **options})


def answered(env: GraphEnv, name: str, **reset: Any) -> tuple[dict[str, str], float, bool, bool, dict[str, Any]]:
    env.reset(**(reset or {"seed": 1}))
    return env.step(GraphAnswerer(name, env).act({}, {}))


def test_every_scenario_has_one() -> None:
    assert len(IDS) == len(EXECUTION)
    for env_id in IDS:
        core: Any = gym.make(env_id).unwrapped
        assert isinstance(core, GraphEnv)
        assert answered(core, "gold")[4]["success"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "generated"}, "split: expected one of train, validation, heldout, got 'generated'"),
        ({"split": ["train"]}, "split: expected one of"),
        ({"distractors": 244}, "distractors: expected 'all' or a number from 0 to 243, got 244"),
        ({"distractors": 200}, "distractors: expected 'all' or a number from 0 to 195 in split train"),
        ({"schema_shift": 1}, "schema_shift: expected True or False, got 1"),
        ({"reward": "dense"}, "reward: expected one of overlap, node_precision, .*got 'dense'"),
        ({"render_mode": "human"}, "render_mode: expected one of None, ansi, got 'human'"),
        ({"scenario": "boats"}, "scenario: expected one of .*loans.*, got 'boats'"),
    ],
)
def test_unknown_options_name_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task_id": "loans-0001"}, "task_id: expected one of loans-graph-train-"),
        ({"task_id": None}, "task_id: expected"),
        ({"task": "loans-graph-train-1"}, r"options: expected 'task_id' and nothing besides, got \['task'\]"),
    ],
)
def test_unknown_reset_options_name_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make().reset(options=options)


def test_seeds_and_ids_govern_the_draws() -> None:
    def ids(seed: int, split: str) -> list[str]:
        env = make(split=split)
        return [env.reset(seed=seed if n == 0 else None)[1]["task_id"] for n in range(80)]

    assert ids(1, "train") == ids(1, "train") != ids(2, "train")
    assert len(set(ids(1, "train"))) == 80
    assert set(ids(1, "validation")) == {f"loans-graph-validation-{n}" for n in range(16)}
    assert len(set(ids(1, "heldout"))) > 35
    env, other = make(split="heldout"), make()
    first, info = env.reset(seed=4)
    again, _ = other.reset(options={"task_id": info["task_id"]})
    assert first == again and env.task == other.task


@pytest.mark.parametrize("reward", REWARDS)
def test_information_and_reward(reward: str) -> None:
    env = make(reward=reward)
    obs, info = env.reset(seed=5)
    assert env.observation_space.contains(obs) and obs["tool_result"] == ""
    after, score, terminated, truncated, last = env.step(env.action_space.sample())
    assert env.observation_space.contains(after) and (terminated, truncated) == (True, False)
    for step, one in enumerate((info, last)):
        assert tuple(one) == INFO_KEYS
        assert (one["step"], one["task_id"], one["scenario"], one["invalid"]) == (step, env.task.id, "loans", False)
        assert tuple(one["reward_terms"]) == METRICS and type(one["success"]) is bool and type(one["score"]) is float
        assert set(map(type, one["reward_terms"].values())) == {float}
    assert info["checkpoints"] == {} and tuple(last["checkpoints"]) == CHECKPOINTS
    terms = last["reward_terms"]
    assert score == last["score"] == terms.get(reward, sum(terms[name] for name in OVERLAPS) / 3)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step("{}")


# -- the reference answers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_what_the_reference_answers_score(name: str) -> None:
    env = make(scenario=name)
    infos = {answer: answered(env, answer)[4] for answer in GRAPH_ANSWERS}
    terms = {answer: info["reward_terms"] for answer, info in infos.items()}
    assert set(terms["gold"].values()) == {1.0} and infos["gold"]["success"] and infos["gold"]["error"] is None
    assert all(infos["gold"]["checkpoints"].values())
    assert set(terms["empty"].values()) == {0.0}
    assert infos["empty"]["error"]["kind"] == "validation" and infos["empty"]["checkpoints"]["readable"]
    backwards = terms["gold_reversed"]
    assert {backwards[key] for key in METRICS if key.startswith("node")} == {1.0}
    assert {backwards[key] for key in METRICS if key.startswith(CONNECTED)} == {0.0}
    assert terms["complete"]["node_recall"] == 1 and terms["complete"]["edge_precision"] < 0.05
    assert infos["complete"]["checkpoints"]["acyclic"] and infos["complete"]["score"] < 0.25
    spoilt = terms["gold_with_distractors"]
    graph = load_scenario(name).graph
    assert spoilt["node_precision"] == len(graph.nodes) / (len(graph.nodes) + 5)
    assert {spoilt[key] for key in METRICS if key.startswith(CONNECTED)} == {1.0}
    assert infos["gold_reversed"]["score"] < infos["chain"]["score"] < 0.8 and terms["chain"]["node_overlap"] == 1
    assert 0 < terms["chain"]["edge_overlap"] < 0.8
    assert [info["success"] for info in infos.values()].count(True) == 1


@pytest.mark.parametrize("split", ["train", "validation", "heldout"])
@pytest.mark.parametrize("answer", [name for name in GRAPH_ANSWERS if name != "lexical"])
def test_a_shifted_schema_changes_names_and_no_score(split: str, answer: str) -> None:
    plain, shifted = make(split=split), make(split=split, schema_shift=True)
    expected, info = answered(plain, answer)[4], answered(shifted, answer)[4]
    assert set(gold_of(plain.task).nodes).isdisjoint(gold_of(shifted.task).nodes) or split != "heldout"
    same = ("task_id", "checkpoints", "success") if answer == "complete" else tuple(set(expected) - {"error"})
    assert {key: info[key] for key in same} == {key: expected[key] for key in same}


def test_where_names_are_drawn_words_alone_find_little() -> None:
    plain, shifted = (answered(make(split="heldout", schema_shift=shift), "lexical")[4] for shift in (False, True))
    assert shifted["reward_terms"]["edge_f1"] < 0.35 < plain["reward_terms"]["edge_f1"]


def test_an_unknown_answer_names_the_nearest() -> None:
    with pytest.raises(OptionError, match=r"agent: expected one of gold, .*did you mean 'chain'"):
        GraphAnswerer("chains", make())
    agent = GraphAnswerer("gold", make())
    agent.reset()
    assert agent.name == "gold"


@pytest.mark.parametrize("index", range(0, 34, 5))
def test_one_edge_less_is_no_success(index: int) -> None:
    env = make()
    env.reset(seed=2)
    gold = gold_of(env.task)
    edges = [edge for place, edge in enumerate(gold.edges) if place != index]
    info = env.step(json.dumps({"nodes": gold.nodes, "edges": edges}))[4]
    assert not info["success"] and info["checkpoints"] == {
        "readable": True, "acyclic": True, "nodes": True, "edges": False,
    }  # fmt: skip
    assert info["reward_terms"]["edge_recall"] == 33 / 34 and info["score"] < 1


# -- answers of agents --------------------------------------------------------------------------------------------


@given(st.text())
@settings(max_examples=30, deadline=None)
def test_no_answer_raises(text: str) -> None:
    env = make(distractors=0)
    env.reset(seed=1)
    obs, reward, terminated, _, info = env.step(text)
    assert terminated and not info["success"] and info["error"] is not None
    assert json.loads(obs["tool_result"])["error"] == dict(info["error"])
    assert 0 <= reward <= 1


@pytest.mark.parametrize(
    ("action", "kind", "part"),
    [
        ("I would rather not.", "malformed", "expected one JSON or YAML object"),
        ('{"nodes": ["grant_loan"], "edges": []}', "validation", "no tool has this name: grant_loan"),
        ('{"nodes": ["price_loan"], "edges": [["price_loan"]]}', "malformed", "left out"),
        ('{"nodes": [], "edges": [["price_loan", "price_loan"]]}', "validation", "cannot depend on itself: price_loan"),
    ],
)
def test_what_is_wrong_is_said(action: str, kind: str, part: str) -> None:
    env = make()
    env.reset(seed=1)
    obs, _, _, _, info = env.step(action)
    assert info["error"]["kind"] == kind and part in info["error"]["message"]
    assert kind in obs["state"]
    told = json.loads(obs["tool_result"])
    assert any(part in problem for problem in told["problems"])
    assert info["checkpoints"]["readable"] == ("expected one" not in part)
    assert info["checkpoints"]["acyclic"] == ("expected one" not in part and "itself" not in part)


def test_the_result_says_nothing_of_the_gold_graph() -> None:
    env = make()
    result = answered(env, "empty")[0]
    assert not any(name in json.dumps(result) for name in gold_of(env.task).nodes)
    assert answered(env, "chain")[0]["tool_result"] == '{"nodes":20,"edges":19,"problems":[]}'


# -- the rest of the interface ------------------------------------------------------------------------------------


def test_the_action_space_draws_graphs_over_the_pool() -> None:
    env = make(distractors=60)
    env.reset(seed=1)
    env.action_space.seed(3)
    drawn = [env.action_space.sample() for _ in range(10)]
    for text in drawn:
        env.reset(seed=1)
        assert env.action_space.contains(text)
        info = env.step(text)[4]
        assert info["error"] is None and info["checkpoints"]["acyclic"] and not info["success"]


def test_messages_are_a_chat() -> None:
    env = make()
    obs, _ = env.reset(seed=1)
    system, user = env.messages()
    assert (system["role"], user["role"]) == ("system", "user") and user["content"] == obs["state"]
    after = env.step("Nothing.")[0]
    assert env.messages()[2:] == [
        {"role": "assistant", "content": "Nothing."},
        {"role": "tool", "tool_call_id": "call_1", "name": "", "content": after["tool_result"]},
    ]
    assert env.tool_schemas() == [] and env.max_steps == 1 and env.failure is None
    assert set(env.tools) >= set(load_scenario("loans").tools)
