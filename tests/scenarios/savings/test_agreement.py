"""Expert and solver of Savings agree on generated cases, with the bank's policy and with shifted ones."""

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.scenarios.savings.generator.plan import ENDINGS

SAVINGS = load_scenario("savings")


@pytest.mark.parametrize("seed", range(60))
def test_expert_and_solver_agree(seed: int) -> None:
    task: Task = SAVINGS.generate(seed)
    assert SAVINGS.solve(task).outputs == dict(task.standard.outputs)
    assert list(SAVINGS.realism(task, SAVINGS.policy)) == []


@pytest.mark.parametrize("seed", range(20))
def test_they_agree_under_another_policy(seed: int) -> None:
    policy = SAVINGS.draw_policy(f"savings-{seed}")
    task: Task = SAVINGS.generate(seed, policy=policy)
    assert SAVINGS.solve(task).outputs == dict(task.standard.outputs)


def test_every_ending_is_drawn() -> None:
    drawn = {tag for seed in range(1200) for tag in SAVINGS.draft(seed).tags}
    names = {f"ending:{ending[0]}" for endings in ENDINGS.values() for ending in endings}
    assert names <= drawn


def test_the_graph_is_as_large_as_the_benchmark_says() -> None:
    assert (len(SAVINGS.graph.nodes), len(SAVINGS.graph.edges)) == (13, 26)
