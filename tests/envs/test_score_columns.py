"""Scores of many episodes at once: those of a grader for each."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.envs.episode import Episode
from teller_gym.envs.score_columns import ScoreColumns
from teller_gym.grading.grader import RewardConfig
from tests.envs.play import make

ENV = make()
ENV.reset(seed=1)
RUBRIC = ENV.episode.rubric

weights = st.sampled_from([(0.3, 0.3, 0.4), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.1, 0.2, 0.7)])
configs = st.builds(
    lambda each, call, most, shaped: RewardConfig(
        checkpoints=each[0],
        parameters=each[1],
        outcome=each[2],
        failed_call=call,
        failed_calls_at_most=most,
        shaped=shaped,
    ),
    weights,
    st.sampled_from([0.0, 0.01, 0.003, 0.5]),
    st.sampled_from([0.0, 0.1, 1.0]),
    st.booleans(),
)
counts = st.tuples(
    st.integers(0, len(RUBRIC.checkpoint_names)),
    st.floats(0, 1).map(lambda share: share * len(RUBRIC.required)),
    st.integers(0, 40),
    st.booleans(),
)


def episode(config: RewardConfig, counted: tuple[int, float, int, bool]) -> Episode:
    """Return an episode whose grader has counted this."""
    env: Any = make(reward=config)
    env.reset(options={"task_id": RUBRIC.task_id})
    grader = env.episode.grader
    grader._review = dict.fromkeys(RUBRIC.checkpoint_names[: counted[0]], True)
    grader.earned, grader.failures, grader.success = counted[1:]
    found: Episode = env.episode
    return found


@given(configs, st.lists(st.tuples(counts, counts, st.booleans()), min_size=1, max_size=5))
def test_scores_and_rewards_are_a_graders_to_the_last_bit(config: RewardConfig, steps: list[Any]) -> None:
    columns = ScoreColumns(len(steps), config)
    before = [episode(config, first) for first, _, _ in steps]
    for one in before:
        one.pay()
    columns.start(range(len(before)), before)
    paid = columns.scores
    after = [episode(config, second) for _, second, _ in steps]
    for number, one in enumerate(after):
        columns.note(number, one.grader)
        one.score, one.over = before[number].score, steps[number][2]
    columns.update()
    rewards = columns.rewards(paid, np.array([over for _, _, over in steps]))
    for number, one in enumerate(after):
        reward, standing = one.pay()
        assert columns.scores[number] == standing.score
        assert {name: values[number] for name, values in columns.terms.items()} == standing.terms()
        assert rewards[number] == reward
