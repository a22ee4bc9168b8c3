"""GRPO through vLLM's engine, on a fake that draws from the true probabilities: weights, sleep, ratios, order."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import teller_gym.training.phases.grpo as grpo
from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.base.errors import InfrastructureError, SettingsError
from teller_gym.training.config.run import Config, load
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.rollouts.engines import Draws
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits, Rollout
from teller_gym.training.rollouts.vllm_colocated import ColocatedEngine
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.tasks.seeds import LeakGuard
from tests.training import stand_in
from tests.training.stand_in import Generation, Talks
from tests.training.trainer_parts.test_dead_groups import Chatty

pytestmark = pytest.mark.training

FAST = ("method.grpo.optimizer=adamw", "method.grpo.learning_rate=1e-2", "method.grpo.warmup_steps=0")
"""An update changes what the model says."""


def settings(*overrides: str, **hardware: Any) -> Config:
    """A small run with vLLM on a CPU, which no configuration allows."""
    stub = ["env.id=TellerStub-v0", "logger=none", "difficulty=null", "model.turn_tokens=8", "model.total_tokens=300"]
    small = ["method.grpo.tasks=2", "method.grpo.group=3", "method.grpo.log_steps=1", "method.grpo.steps=2"]
    found = load("demo", [*stub, *small, *overrides])[0]
    found.hardware = found.hardware.model_copy(update={"generation": "vllm", **hardware})
    return found


@pytest.fixture
def generations(monkeypatch: pytest.MonkeyPatch) -> list[Generation]:
    """Those that trainers have made."""
    made: list[Generation] = []

    def make(**options: Any) -> Generation:
        made.append(Generation(**options))
        return made[-1]

    for name, module in stand_in.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr("trl.trainer.grpo_trainer.VLLMGeneration", make)
    monkeypatch.setattr(grpo, "make_env", lambda *_: Talks())
    monkeypatch.setattr(LeakGuard, "forbidden", lambda self, scenario: frozenset())
    return made


def trained(config: Config, model: Any, tokenizer: Any, folder: Path) -> list[dict[str, Any]]:
    """Train; return the metrics."""
    torch.manual_seed(0)
    log = MetricsLog(folder / "metrics.jsonl")
    grpo.train_grpo(model, tokenizer, config, folder / "grpo", log, folder / "transcripts.jsonl")
    return list(log.rows("grpo"))


def test_ratios_are_one_and_weights_go_over_once_a_round(
    model: Any, tokenizer: Any, tmp_path: Path, generations: list[Generation]
) -> None:
    """The second round is drawn with the weights after the first update, or its ratios would be others."""
    before = {name: value.clone() for name, value in model.state_dict().items()}
    config = settings(*FAST, vllm_sleep=True)
    rows = trained(config, model, tokenizer, tmp_path)
    (generation,) = generations
    assert generation.told == ["sleep 2", *["wake weights", "sync", "wake kv_cache", "sleep 2"] * 2]
    assert len(rows) == 2
    for row in rows:
        for part in ("min", "mean", "max"):
            assert row[f"sampling/importance_sampling_ratio/{part}"] == pytest.approx(1, abs=1e-3)
        assert row["sampling/sampling_logp_difference/max"] < 1e-3
        assert 0.3 < row["prompts/cached"] < 1, "a turn's context is known but for what came since"
    moved = max(float((before[name] - value).abs().max()) for name, value in model.state_dict().items())
    assert moved > 1e-3, "the update moved nothing, so old weights would have gone unnoticed"


def test_every_round_of_a_step_wakes_the_engine_and_draws_anew(
    model: Any, tokenizer: Any, tmp_path: Path, generations: list[Generation], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trunks, branches, and the same of the groups that replace others."""
    rounds: list[int] = []
    engine_of = Player._engine_of

    def watch(self: Player, trainer: Any, number: int) -> Any:
        engine = engine_of(self, trainer, number)
        assert isinstance(engine, ColocatedEngine)
        rounds.append(engine._draws.seed)
        return engine

    monkeypatch.setattr(Player, "_engine_of", watch)
    monkeypatch.setattr(grpo, "make_env", lambda *_: Chatty())
    config = settings(
        *FAST, "method.grpo.most_groups=2", "method.grpo.branches={}", "method.grpo.tasks=3", vllm_sleep=True
    )
    rows = trained(config, model, tokenizer, tmp_path)
    (generation,) = generations
    assert len(rounds) == len(set(rounds)) >= 8 and len(rounds) % 2 == 0
    assert generation.told == ["sleep 2", *["wake weights", "sync", "wake kv_cache", "sleep 2"] * len(rounds)]
    assert len(rows) == 2 and all(row["groups/replaced"] > 0 for row in rows)
    for row in rows:
        for part in ("min", "mean", "max"):
            assert row[f"sampling/importance_sampling_ratio/{part}"] == pytest.approx(1, abs=1e-3)


def test_old_weights_would_show(
    model: Any, tokenizer: Any, tmp_path: Path, generations: list[Generation], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_weights = Generation.sync_weights

    def once(self: Generation) -> None:
        if self.llm.llm_engine.model is None:
            load_weights(self)

    monkeypatch.setattr(Generation, "sync_weights", once)
    config = settings(*FAST, vllm_sleep=False)
    rows = trained(config, model, tokenizer, tmp_path)
    differences = [row["sampling/sampling_logp_difference/max"] for row in rows]
    assert differences[0] < 1e-3 < 1e-2 < differences[1]


def test_turns_are_drawn_together_whatever_turn_they_are(
    model: Any, tokenizer: Any, tmp_path: Path, generations: list[Generation], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[list[Rollout]] = []
    call = Player.__call__

    def watch(self: Player, prompts: Any, trainer: Any) -> Any:
        found = call(self, prompts, trainer)
        rounds.append(self.rollouts)
        return found

    monkeypatch.setattr(Player, "__call__", watch)
    config = settings("method.grpo.steps=1", vllm_sleep=False, live_episodes=4)
    trained(config, model, tokenizer, tmp_path)
    (generation,), (rollouts,) = generations, rounds
    engine = generation.llm.llm_engine
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


def test_the_logged_figures_are_those_of_the_round(
    model: Any, tokenizer: Any, tmp_path: Path, generations: list[Generation]
) -> None:
    row = trained(settings("method.grpo.steps=1", vllm_sleep=False), model, tokenizer, tmp_path)[0]
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


def test_whoever_plays_without_the_trainer_gets_the_weights_too(
    model: Any, tokenizer: Any, generations: list[Generation]
) -> None:
    """As a validation between two steps does; the trainer's next round needs the weights again if vLLM sleeps."""
    chat = ChatFormat(tokenizer, PromptStyle.MINIMAL)
    for sleeps, expected in ((True, 2), (False, 1)):
        trainer = Trainer(model, sleeps)
        for seed in (1, 2):
            engine = ColocatedEngine(trainer, Draws(chat.end, 1.0, seed))
            rollouts = EnvPool(Talks).play(["stub-g-1", "stub-g-2"], engine, chat, Limits(8, 400, 9))
            assert [one.end for one in rollouts] == [End.DONE, End.DONE]
        assert trainer.vllm_generation.told.count("sync") == expected and trainer._last_loaded_step == 3


def test_a_round_that_breaks_off_leaves_no_request_and_lets_vllm_sleep(
    model: Any, tokenizer: Any, generations: list[Generation]
) -> None:
    chat, trainer, seen = ChatFormat(tokenizer, PromptStyle.MINIMAL), Trainer(model, True), []

    def check(task: Any) -> None:
        seen.append(task.id)
        if len(seen) == 2:
            raise ValueError("held out")

    engine = ColocatedEngine(trainer, Draws(chat.end, 1.0, 0))
    with pytest.raises(ValueError, match="held out"):
        EnvPool(Talks).play(["stub-g-1", "stub-g-2"], engine, chat, Limits(8, 400, 9), check)
    assert not trainer.vllm_generation.llm.llm_engine.live
    assert trainer.vllm_generation.told[-1] == "sleep 2" and trainer.vllm_generation._llm_weights_sleeping


def test_a_request_without_an_answer_is_told(model: Any, tokenizer: Any, generations: list[Generation]) -> None:
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
