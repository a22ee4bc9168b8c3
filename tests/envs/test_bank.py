"""The env that mixes scenarios: episodes are drawn by weights and use their own scenario's tools, SOP and grader."""

from collections import Counter
from typing import Any

import gymnasium as gym
import pytest

import teller_gym  # noqa: F401 - registers the ids
from teller_gym.agents import REFERENCE_AGENTS, make_agent
from teller_gym.base.errors import OptionError
from teller_gym.configuration.envs import env_id_of
from teller_gym.envs.bank import BankEnv
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import EXECUTION, FOLDS, OWN, ScenarioEntry, fold_card
from teller_gym.tasks.store import load_tasks
from tests.proof import stub

OTHER = stub.NAME
"""A small scenario for tests. Importing its module registers the scenario and its envs for the whole test run."""


@pytest.fixture
def two() -> dict[str, float]:
    """Return equal weights for two scenarios."""
    return {"loans": 1, OTHER: 1}


def drawn(env: BankEnv, count: int) -> Counter[str]:
    return Counter(env.reset(seed=seed)[1]["scenario"] for seed in range(count))


def test_scenarios_come_up_by_their_weights(two: dict[str, float]) -> None:
    even, heavy = drawn(BankEnv(two), 300), drawn(BankEnv({"loans": 3, OTHER: 1}), 300)
    assert abs(even["loans"] - 150) < 35 and even.total() == 300
    assert abs(heavy["loans"] - 225) < 35
    assert drawn(BankEnv({OTHER: 2}), 5) == {OTHER: 5}
    # The order of the weights does not matter.
    one, other = BankEnv({"loans": 1, OTHER: 2}), BankEnv({OTHER: 2, "loans": 1})
    for seed in range(20):
        assert one.reset(seed=seed) == other.reset(seed=seed)


def test_without_weights_the_packages_own_scenarios_come_up(two: dict[str, float]) -> None:
    assert set(drawn(BankEnv(), 60)) == {card.kwargs["scenario"] for card in EXECUTION}


def test_the_task_does_not_depend_on_the_weights(two: dict[str, float]) -> None:
    """Tasks of one scenario are about equally frequent, with any weights."""
    env = BankEnv(two)
    ids = {env.reset(seed=seed)[1]["task_id"] for seed in range(300)}
    assert len([task_id for task_id in ids if task_id.startswith("loans-")]) > 80


def test_an_episode_has_its_own_scenarios_tools_and_budget(two: dict[str, float]) -> None:
    env = BankEnv(two)
    for name in ("loans", OTHER, "loans"):
        task = load_tasks(name, "train", 1)[0]
        obs, info = env.reset(options={"task_id": task.id})
        scenario = load_scenario(name)
        assert info["scenario"] == name == env.scenario.name and info["task_id"] == task.id
        assert set(env.tools) == set(scenario.tools) and scenario.title in obs["state"]
        single = gym.make("Teller-Loans-v0").unwrapped if name == "loans" else None
        if single is not None:
            assert env.max_steps == single.max_steps  # type: ignore[attr-defined]
            assert single.reset(options={"task_id": task.id}) == (obs, info)


@pytest.mark.parametrize("name", sorted(REFERENCE_AGENTS))
def test_agents_change_scenario_between_episodes(two: dict[str, float], name: str) -> None:
    env = BankEnv(two)
    env.reset(seed=0)
    agent = make_agent(name, env)
    scores = []
    for scenario in (OTHER, "loans", OTHER):
        obs, info = env.reset(options={"task_id": load_tasks(scenario, "train", 1)[0].id})
        agent.reset()
        over = False
        while not over:
            action = agent.act(obs, {"task_id": info["task_id"]})
            obs, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        assert not info["invalid"]
        scores.append(info["score"])
    assert scores == [1.0] * 3 if name == "expert" else scores[0] == scores[2] or name == "random"


def test_snapshots_go_from_one_scenario_to_another(two: dict[str, float]) -> None:
    env = BankEnv(two)
    env.reset(options={"task_id": load_tasks(OTHER, "train", 1)[0].id})
    snapshot = env.snapshot()
    env.reset(options={"task_id": load_tasks("loans", "train", 1)[0].id})
    env.restore(snapshot)
    assert env.scenario.name == OTHER and set(env.tools) == set(load_scenario(OTHER).tools)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({}, "expected a weight for each scenario"),
        ([("loans", 1)], "expected a weight for each scenario"),
        ({"lones": 1}, "expected scenarios of .*did you mean 'loans'"),
        ({1: 1}, "expected scenarios of"),
        ({"loans": 0}, "weights.loans: expected a number above 0, got 0"),
        ({"loans": -1.5}, "above 0"),
        ({"loans": float("inf")}, "above 0"),
        ({"loans": float("nan")}, "above 0"),
        ({"loans": True}, "above 0"),
        ({"loans": "many"}, "above 0"),
    ],
)
def test_weights_that_cannot_be(weights: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        BankEnv(weights)


def test_options_of_the_single_env_are_checked_here_too() -> None:
    with pytest.raises(OptionError, match="split"):
        BankEnv({"loans": 1}, split="holdout")
    with pytest.raises(OptionError, match="faults"):
        BankEnv({"loans": 1}, faults=-1)


def test_ids_of_other_scenarios_are_refused(two: dict[str, float]) -> None:
    env = BankEnv({"loans": 1})
    for task_id in ("refunds-0001", "savings-0001", "", "loans"):
        with pytest.raises(OptionError, match="task_id: expected an id of loans, got"):
            env.reset(options={"task_id": task_id})
    with pytest.raises(OptionError, match="loans-0001"):
        env.reset(options={"task_id": "loans-9999"})


def test_randomisations_work_here_too() -> None:
    options: dict[str, Any] = {"policy_shift": True, "schema_shift": True, "perturb": True, "faults": True}
    env = BankEnv({"loans": 1}, split="generated", **options)
    obs, info = env.reset(seed=4)
    agent = make_agent("expert", env)
    over = False
    while not over:
        obs, _, terminated, truncated, info = env.step(agent.act(obs, {"task_id": info["task_id"]}))
        over = terminated or truncated
    assert info["score"] == 1.0


def test_a_scenario_that_is_left_out_is_never_drawn_and_can_be_named(two: dict[str, float]) -> None:
    env = BankEnv(two, without=OTHER)
    assert (env.scenarios, env.weights, env.unseen) == (("loans",), {"loans": 1.0}, (OTHER,))
    assert drawn(env, 30) == {"loans": 30}
    task = load_tasks(OTHER, "heldout", 1)[0]
    _, info = env.reset(options={"task_id": task.id})
    assert info["scenario"] == OTHER
    assert env.scenario is load_scenario(OTHER)
    assert env.reset(seed=3)[1]["scenario"] == "loans"
    assert BankEnv(two).unseen == ()
    # The draws equal those of an env that only has the other scenario.
    assert BankEnv({"loans": 1}).reset(seed=8) == env.reset(seed=8)


@pytest.mark.parametrize(
    ("weights", "without", "message"),
    [
        ({"loans": 1, OTHER: 1}, "loan", "without: expected one of loans, .*did you mean 'loans'"),
        ({"loans": 1, OTHER: 1}, 3, "without: expected one of loans"),
        ({"loans": 1}, "loans", "without: expected another scenario beside loans"),
    ],
)
def test_a_scenario_that_cannot_be_left_out_is_refused(weights: dict[str, float], without: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        BankEnv(weights, without=without)


def test_the_folds_follow_from_the_scenarios() -> None:
    assert len(FOLDS) == (len(OWN) if len(OWN) > 1 else 0)
    card = fold_card(ScenarioEntry("credit_cards", "x", "Cards"))
    assert (card.id, card.kwargs) == ("Teller-BankWithoutCreditCards-v0", {"without": "credit_cards"})
    for fold in FOLDS:
        name = fold.kwargs["without"]
        env = gym.make(env_id_of(f"bank_without_{name}"))
        core: Any = env.unwrapped
        assert core.unseen == (name,)
        assert set(core.scenarios) == {entry.name for entry in OWN} - {name}
