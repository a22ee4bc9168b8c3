"""GRPO through vLLM's engine, on a fake that draws from the true probabilities: weights, sleep, ratios, order."""

from pathlib import Path
from typing import Any

import pytest

from teller_gym.agents.chat import ChatFormat
from teller_gym.base.errors import InfrastructureError, SettingsError
from teller_gym.training.config.run import load
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.rollouts.engines import Draws
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits
from teller_gym.training.rollouts.vllm_colocated import ColocatedEngine
from tests.training.stand_in import Generation, Talks, install, vllm_settings
from tests.training.toy import play_on, rows_of, train, watched, weights
from tests.training.trainer_parts.test_dead_groups import Chatty

pytestmark = [pytest.mark.training, pytest.mark.usefixtures("no_leaks")]

FAST = ("method.grpo.optimizer=adamw", "method.grpo.learning_rate=1e-2", "method.grpo.warmup_steps=0")
"""Settings with which a single update changes the model's turns."""
ROUND = ["wake weights", "sync", "wake kv_cache", "sleep 2"]


@pytest.fixture
def generations(monkeypatch: pytest.MonkeyPatch) -> list[Generation]:
    """Generations that the trainers have made."""
    play_on(monkeypatch, Talks)
    return install(monkeypatch)


def expect_ratios_of_one(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 2
    for row in rows:
        for part in ("min", "mean", "max"):
            assert row[f"sampling/importance_sampling_ratio/{part}"] == pytest.approx(1, abs=1e-3)
        assert row["sampling/sampling_logp_difference/max"] < 1e-3


def test_ratios_are_one_and_weights_go_over_once_a_round(
    model: Any, tokenizer: Any, tmp_path: Path, generations: list[Generation]
) -> None:
    """The second round is drawn with the weights after the first update; otherwise its ratios would not be 1."""
    before = weights(model)
    train(tokenizer, tmp_path, vllm_settings(*FAST, vllm_sleep=True), model=model)
    (generation,) = generations
    assert generation.told == ["sleep 2", *ROUND * 2]
    rows = rows_of(tmp_path)
    expect_ratios_of_one(rows)
    moved = max(float((before[name] - value).abs().max()) for name, value in model.state_dict().items())
    assert moved > 1e-3, "the update moved nothing, so old weights would have gone unnoticed"


def test_every_round_of_a_step_wakes_the_engine_and_draws_anew(
    tokenizer: Any, tmp_path: Path, generations: list[Generation], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups that replace others are played in such rounds."""
    seen = watched(monkeypatch, Player, "_engine_of")
    play_on(monkeypatch, Chatty)
    config = vllm_settings(*FAST, "method.grpo.most_groups=2", "method.grpo.tasks=3", vllm_sleep=True)
    train(tokenizer, tmp_path, config)
    assert all(isinstance(engine, ColocatedEngine) for _, engine in seen)
    seeds = {engine._draws.seed for _, engine in seen}
    assert len(seen) == len(seeds) >= 4
    assert generations[0].told == ["sleep 2", *ROUND * len(seen)]
    rows = rows_of(tmp_path)
    assert all(row["groups/replaced"] > 0 for row in rows)
    expect_ratios_of_one(rows)


def test_old_weights_would_show(
    tokenizer: Any, tmp_path: Path, generations: list[Generation], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_weights = Generation.sync_weights

    def once(self: Generation) -> None:
        if self.llm.llm_engine.model is None:
            load_weights(self)

    monkeypatch.setattr(Generation, "sync_weights", once)
    train(tokenizer, tmp_path, vllm_settings(*FAST, vllm_sleep=False))
    differences = [row["sampling/sampling_logp_difference/max"] for row in rows_of(tmp_path)]
    assert differences[0] < 1e-3 < 1e-2 < differences[1]


def test_turns_are_drawn_together_whatever_turn_they_are(
    tokenizer: Any, tmp_path: Path, generations: list[Generation], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = watched(monkeypatch, Player, "__call__")
    train(tokenizer, tmp_path, vllm_settings("method.grpo.steps=1", vllm_sleep=False, live_episodes=4))
    (generation,), ((_, columns),) = generations, seen
    engine, rollouts = generation.llm.llm_engine, columns["rollout"]
    assert generation.told == ["sync"] and engine.most == 4 and not engine.live
    assert len({one.turns for one in rollouts}) == 2, "both tasks take as many turns"
    # Every context is that of its episode, cut at a turn: nothing was rendered again.
    for request in engine.asked:
        slot, turn = map(int, request.name.split("/"))
        rollout = rollouts[slot]
        span = rollout.spans[turn]
        assert request.prompt == rollout.prompt_ids + rollout.ids[: span.start]
        assert request.ids == rollout.ids[span.start : span.end]
        assert request.params.seed is not None and request.params.stop_token_ids == [tokenizer.eos_token_id]
    assert len(engine.asked) == sum(one.turns for one in rollouts)
    assert [one.task_id for one in rollouts[:3]] == [rollouts[0].task_id] * 3
    # The logged figures are those of the round.
    (row,) = rows_of(tmp_path)
    parts = [row[f"seconds/{part}"] for part in ("generating", "environments", "updates")]
    assert min(parts) > 0 and sum(parts) == pytest.approx(row["step_time"])
    assert row["turns/mean_tokens"] <= row["turns/max_tokens"] <= 8
    assert row["episodes/mean_tokens"] <= row["episodes/max_tokens"] <= 300
    assert row["episodes/turns"] < row["episodes/max_turns"] <= 5
    assert row["rewards/spread_in_group"] > 0 and row["entropy"] > 0


class Trainer:
    """The attributes of TRL's trainer that an engine reads."""

    def __init__(self, model: Any, sleeps: bool) -> None:
        self.state = type("State", (), {"global_step": 3})()
        self._last_loaded_step = -1
        self.vllm_generation = Generation(model, None, None, enable_sleep_mode=sleeps)


@pytest.mark.usefixtures("generations")
def test_a_round_without_the_trainer_gets_the_weights_too(model: Any, chat: ChatFormat) -> None:
    """A validation between two steps is such a round; if vLLM sleeps, the next round needs the weights again."""
    for sleeps, expected in ((True, 2), (False, 1)):
        trainer = Trainer(model, sleeps)
        for seed in (1, 2):
            engine = ColocatedEngine(trainer, Draws(chat.end, 1.0, seed))
            rollouts = EnvPool(Talks).play(["stub-g-1", "stub-g-2"], engine, chat, Limits(8, 400, 9))
            assert [one.end for one in rollouts] == [End.DONE, End.DONE]
        assert trainer.vllm_generation.told.count("sync") == expected and trainer._last_loaded_step == 3


@pytest.mark.usefixtures("generations")
def test_a_round_that_breaks_off_leaves_no_request_and_lets_vllm_sleep(model: Any, chat: ChatFormat) -> None:
    trainer, seen = Trainer(model, True), []

    def check(task: Any) -> None:
        seen.append(task.id)
        if len(seen) == 2:
            raise ValueError("held out")

    engine = ColocatedEngine(trainer, Draws(chat.end, 1.0, 0))
    with pytest.raises(ValueError, match="held out"):
        EnvPool(Talks).play(["stub-g-1", "stub-g-2"], engine, chat, Limits(8, 400, 9), check)
    assert not trainer.vllm_generation.llm.llm_engine.live
    assert trainer.vllm_generation.told[-1] == "sleep 2" and trainer.vllm_generation._llm_weights_sleeping


@pytest.mark.usefixtures("generations")
def test_a_request_without_an_answer_is_told(model: Any) -> None:
    trainer = Trainer(model, False)
    engine = ColocatedEngine(trainer, Draws(2, 1.0, 0))
    engine.begin()
    engine.submit(0, [5, 6], 4)
    trainer.vllm_generation.llm.llm_engine.live.clear()
    with pytest.raises(InfrastructureError, match="dropped 1 requests"):
        engine.wait()


def test_cards_that_share_an_engine_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"vllm_tensor_parallel: .* or vllm_mode=server, got 2"):
        load("train", ["hardware=l20_8", "hardware.vllm_tensor_parallel=2"])
    load("train", ["hardware=l20_multi", "hardware.vllm_tensor_parallel=2", "method.grpo.tasks=32"])
