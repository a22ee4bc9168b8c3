"""GRPO's reward: the score, or other weights of its terms, with the score in the log."""

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from hypothesis import given
from hypothesis import strategies as st

import teller_gym
from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.base.errors import OptionError
from teller_gym.configuration.compose import choices
from teller_gym.grading.score import RewardConfig, standing_of
from teller_gym.training.config.grpo import RewardWeights
from teller_gym.training.config.run import load
from teller_gym.training.launch.preflight import preflight
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits, Rollout
from teller_gym.training.tasks.seeds import make_env
from teller_gym.training.trainer_parts.rewards import reward_functions
from teller_gym.training.trainer_parts.turn_credit import returns
from tests.training.phases.test_losses import train
from tests.training.rollouts.test_rollout import Scripted
from tests.training.stub_env import StubEnv

SHARE = st.floats(0, 1)
WEIGHT = st.floats(0.01, 10)


def chosen(*overrides: str) -> RewardWeights:
    return load("train", list(overrides))[0].method.grpo.reward


SPARSE, OTHERS = chosen("reward=sparse"), chosen("reward=no_parameters")


@given(SHARE, SHARE, st.booleans(), st.integers(0, 30), WEIGHT)
def test_the_formula_is_the_scores(
    checkpoints: float, parameters: float, success: bool, failures: int, scale: float
) -> None:
    """Weights in the score's proportions give the score; sparse ones give success less the penalties."""
    standing = standing_of(RewardConfig(), checkpoints, parameters, success, failures)
    terms = standing.terms()
    scaled = RewardWeights(checkpoints=0.3 * scale, parameters=0.3 * scale, outcome=0.4 * scale)
    assert scaled.of(9.0, terms) == (9.0 if scaled.is_score else pytest.approx(standing.score, abs=1e-11))
    assert SPARSE.of(9.0, terms) == pytest.approx(success * (1 - terms["penalties"]), abs=1e-11)
    others = (0.3 * checkpoints + 0.4 * success) / 0.7 * (1 - terms["penalties"])
    assert OTHERS.of(9.0, terms) == pytest.approx(others, abs=1e-11)
    assert RewardWeights().of(9.0, {}) == 9.0, "the environment's own, whatever its terms"


@pytest.mark.parametrize("agent", ["expert", "random", "skip_to_decision"])
def test_after_every_call_of_an_episode(agent: str) -> None:
    env: gym.Env[Any, Any] = make_env("Teller-Loans-v0", {}, "generated")
    player = teller_gym.make_agent(agent, env)
    own = RewardWeights(checkpoints=3, parameters=3, outcome=4)
    seen = set()
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        player.reset()
        over = False
        while not over:
            observation, _, terminated, truncated, info = env.step(player.act(observation, info))
            over = terminated or truncated
            terms, score = info["reward_terms"], info["score"]
            assert own.of(0.0, terms) == pytest.approx(score, abs=1e-11)
            assert SPARSE.of(score, terms) == pytest.approx(info["success"] * (1 - terms["penalties"]))
            seen.add(score)
    assert len(seen) > 1


def test_the_names_are_what_they_say() -> None:
    assert choices("reward") == ["no_parameters", "score", "sparse"]
    assert chosen() == chosen("reward=score") == RewardWeights() and chosen().is_score
    assert RewardWeights(checkpoints=0, parameters=0, outcome=1) == SPARSE and not SPARSE.is_score
    assert RewardWeights(checkpoints=0.3, parameters=0, outcome=0.4) == OTHERS
    assert chosen("reward=sparse", "method.grpo.reward.parameters=0.5").parameters == 0.5
    assert chosen("method=curriculum", "reward=sparse") == SPARSE


def test_an_environment_without_the_terms_is_told(tmp_path: Path) -> None:
    words = ["env.id=TellerStub-v0", f"run_dir={tmp_path}", "evaluation.split=generated", "evaluation.n=1"]
    words += ["method.validation.sft_steps=0", "method.validation.grpo_steps=0"]
    preflight(load("train", words)[0])
    with pytest.raises(OptionError, match=r"reports the terms outcome, penalties, got TellerStub-v0; reward=score"):
        preflight(load("train", [*words, "reward=sparse"])[0])


class Termed(StubEnv):
    """The toy desk with the reward terms of the banking environments."""

    def info(self) -> dict[str, Any]:
        found = super().info()
        penalties = min(0.1, 0.01 * sum(self.counts.values()))
        terms = found["reward_terms"] | {"outcome": float(found["success"]), "penalties": penalties}
        return found | {"reward_terms": terms}


def test_turns_gain_what_the_reward_rises_by(tokenizer: Any) -> None:
    chat = ChatFormat(tokenizer, PromptStyle.MINIMAL)
    bad = '{"name":"nonsense","arguments":{}}'
    for weights in (None, RewardWeights(), SPARSE, OTHERS):
        env = Termed()
        sampler = Scripted(chat, [env], {0: [bad]})
        (rollout,) = EnvPool(lambda env=env: env, weights).play(["stub-g-1"], sampler, chat, Limits(400, 20_000, 9))  # type: ignore[misc]
        assert rollout.end is End.DONE and rollout.success and rollout.errors == {"order": 1}
        expected = rollout.score if weights in (None, RewardWeights()) else 0.99
        assert rollout.reward == pytest.approx(expected)
        assert sum(span.gain for span in rollout.spans) == pytest.approx(expected)
        if weights is SPARSE:
            assert [span.gain for span in rollout.spans[:-1]] == [0.0] * (rollout.turns - 1)
            assert returns(rollout, 0.5)[-2] == pytest.approx(0.99 / 2)


def ended(end: End, score: float | None) -> Rollout:
    return Rollout("t", [1], end=end, score=score, reward=score and 1 - score, terms={"outcome": 1.0}, turns=1)


def test_what_is_left_out_gets_no_value_of_any_function() -> None:
    """TRL leaves out rollouts for which all functions return None; a value of an unweighted one would count as 0."""
    rollouts = [ended(End.DONE, 0.75), ended(End.TOKENS, 0.25), ended(End.INVALID, None)]
    for setting, tokens in (("scored", 0.25), ("left_out", None)):
        config = load("train", [f"loss.out_of_tokens={setting}"])[0]
        functions, weights = reward_functions(config.method.grpo.reward, config.loss)
        names = [function.__name__ for function in functions]
        assert names == ["score", "checkpoints", "parameters", "outcome", "penalties"]
        assert weights == [1.0, 0.0, 0.0, 0.0, 0.0]
        values = {name: function(rollouts) for name, function in zip(names, functions, strict=True)}
        assert values["score"] == [0.75, tokens, None]
        assert values["outcome"] == [1.0, tokens and 1.0, None]
    functions, weights = reward_functions(SPARSE, config.loss)
    assert [function.__name__ for function in functions][:3] == ["reward", "score", "checkpoints"]
    assert weights == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert functions[0](rollouts[::2]) == [0.25, None] and functions[1](rollouts[::2]) == [0.75, None]


class Judged(StubEnv):
    """Episodes of one turn whose score and terms differ."""

    def step(self, action: str) -> Any:
        observation, reward, _, truncated, info = super().step(action)
        terms = {"checkpoints": 1.0, "parameters": 0.5, "outcome": len(action) / 1000, "penalties": 0.0}
        return observation, reward, True, truncated, info | {"score": 0.625, "reward_terms": terms}


@pytest.mark.training
@pytest.mark.parametrize("discount", ["null", "0.5"])
def test_grpo_learns_from_the_reward_and_logs_the_score(
    discount: str, tokenizer: Any, tmp_path: Path, no_leaks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("teller_gym.training.phases.grpo.make_env", lambda *_: Judged())
    shared = ["method.grpo.steps=1", f"method.grpo.turn_discount={discount}"]
    _, (row,) = train(tokenizer, tmp_path / "score", *shared)
    assert row["rewards/score/mean"] == row["reward"] == 0.625 and row["reward_std"] == 0 and row["grad_norm"] == 0
    assert row["rewards/spread_in_group"] == 0 and "rewards/reward/mean" not in row
    _, (row,) = train(tokenizer, tmp_path / "sparse", *shared, "reward=sparse")
    assert row["rewards/score/mean"] == 0.625 and row["rewards/parameters/mean"] == 0.5
    assert row["reward"] == pytest.approx(row["rewards/outcome/mean"]) and row["reward"] < 0.5
    assert row["rewards/spread_in_group"] > 0 and row["grad_norm"] > 0
