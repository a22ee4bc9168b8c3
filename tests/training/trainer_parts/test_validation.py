"""Validation while a model trains: the best weights are kept, and training goes on as if nothing had been played."""

import copy
import json
import random
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

from teller_gym.base.errors import InfrastructureError, OptionError, PausedError
from teller_gym.base.orderly import ask
from teller_gym.tasks.store import load_tasks
from teller_gym.training.config.evaluation import ValidationConfig, validation_tasks
from teller_gym.training.config.run import Config, load
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.rollouts.rollout import Rollout
from teller_gym.training.rollouts.vllm_colocated import ColocatedEngine
from teller_gym.training.run_folder.checksums import damage
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.trainer_parts import validation
from teller_gym.training.trainer_parts.best_weights import Best, Mark
from teller_gym.training.trainer_parts.stopping import Stopper
from tests.training import toy
from tests.training.stand_in import Generation
from tests.training.toy import CutError, LikesDigits, fine_tune, play_on, same, train, weights

pytestmark = pytest.mark.training

SCORES = [0.2, 0.5, 0.5, 0.1, 0.4, 0.3]
"""Made-up scores of fine-tuning's steps."""


@pytest.fixture(autouse=True)
def desk(monkeypatch: pytest.MonkeyPatch, no_leaks: None) -> None:
    """Train and validate on the toy desk, which has no frozen splits."""
    monkeypatch.setattr(validation, "validation_tasks", lambda *_: [f"stub-validation-{seed}" for seed in range(3)])
    monkeypatch.setattr(validation, "make_env", lambda *_: LikesDigits())
    play_on(monkeypatch, LikesDigits)


def settings(*overrides: str) -> Config:
    return toy.settings("method.sft.warmup_steps=0", "method.validation.at_once=2", *overrides)


def scores(log: MetricsLog, phase: str) -> list[tuple[int, float]]:
    return [(row["step"], row["validation/score"]) for row in log.rows(phase) if "validation/score" in row]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> dict[int, Any]:
    """Replace validation by made-up scores; return the models that would have been played, by step."""
    seen: dict[int, Any] = {}

    def play(self: validation.Validation, step: int) -> tuple[Mark, float]:
        seen[step] = copy.deepcopy(self._model())
        return Mark(step, SCORES[step - 1], 1.0), 0.0

    monkeypatch.setattr(validation.Validation, "_play", play)
    return seen


@pytest.mark.parametrize("rank", [0, 4])
def test_the_best_weights_are_kept_whole_and_of_equal_ones_the_earliest(
    rank: int, tokenizer: Any, examples: list[Example], tmp_path: Path, made_up: dict[int, Any]
) -> None:
    config = settings("method.validation.sft_steps=1", f"model.lora.rank={rank}")
    trained = fine_tune(tokenizer, examples, config, tmp_path)
    assert list(made_up) == [1, 2, 3, 4, 5, 6]
    best = tmp_path / "best"
    assert damage(best) is None and json.loads((best / "validation.json").read_text())["step"] == 2
    found = weights(AutoModelForCausalLM.from_pretrained(best, dtype=torch.float32))
    assert same(found, weights(made_up[2].merge_and_unload() if rank else made_up[2]))
    if rank:
        assert any("lora_" in name for name in trained.state_dict()), "training went on with the adapters apart"
        assert not same(weights(made_up[6].merge_and_unload()), found)
    assert Best("sft", best).hand_on(tmp_path / "checkpoint") and damage(tmp_path / "checkpoint") is None
    assert same(weights(AutoModelForCausalLM.from_pretrained(tmp_path / "checkpoint", dtype=torch.float32)), found)


@pytest.mark.parametrize("rank", [0, 4])
def test_training_with_validation_ends_like_one_without(
    rank: int, tokenizer: Any, examples: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play: Callable[..., Any] = validation.Validation._play

    def draw(self: Any, step: int) -> Any:
        random.random(), np.random.rand(), torch.rand(1)
        return play(self, step)

    monkeypatch.setattr(validation.Validation, "_play", draw)
    ended = {}
    for steps in (0, 4):
        config = settings(f"method.validation.sft_steps={steps}", f"model.lora.rank={rank}")
        trained = fine_tune(tokenizer, examples, config, tmp_path / str(steps))
        ended[steps] = weights(trained), random.random(), float(np.random.rand()), float(torch.rand(1))
        assert trained.training
    assert same(ended[0][0], ended[4][0]) and ended[0][1:] == ended[4][1:]
    assert [step for step, _ in scores(MetricsLog(tmp_path / "4" / "metrics.jsonl"), "sft")] == [4, 6]
    assert not (tmp_path / "0" / "best").exists()


def test_a_step_that_a_signal_ends_is_validated_when_training_goes_on(
    tokenizer: Any, examples: list[Example], tmp_path: Path, made_up: dict[int, Any]
) -> None:
    config = settings("method.validation.sft_steps=1")
    whole = weights(fine_tune(tokenizer, examples, config, tmp_path / "whole"))
    cut, log = tmp_path / "cut", MetricsLog(tmp_path / "cut" / "metrics.jsonl")
    write = log.write

    def signalling(phase: str, step: int, metrics: dict[str, Any]) -> None:
        write(phase, step, metrics)
        if step == 3:
            ask(signal.SIGTERM)

    log.write = signalling  # type: ignore[method-assign]
    with pytest.raises(PausedError, match=r"sft: stopped by SIGTERM; .*checkpoint-4 is saved; the same"):
        fine_tune(tokenizer, examples, config, cut, log)
    assert not scores(log, "sft")[3:], "the machine may be gone before it is played"
    assert same(weights(fine_tune(tokenizer, examples, config, cut)), whole)
    assert scores(log, "sft") == scores(MetricsLog(tmp_path / "whole" / "metrics.jsonl"), "sft")
    assert (cut / "best" / "validation.json").read_text() == (tmp_path / "whole/best/validation.json").read_text()


def test_a_cut_run_finds_the_same_best(tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the third step, with a checkpoint at the second: the best weights are of a step that is repeated."""
    found = {1: 0.2, 2: 0.5, 3: 0.6, 4: 0.6}
    monkeypatch.setattr(validation.Validation, "_play", lambda self, step: (Mark(step, found[step], 1.0), 0.0))
    config = settings(
        "method.grpo.steps=4", "method.grpo.save_steps=2", "method.grpo.learning_rate=1e-2",
        "method.validation.grpo_steps=1",
    )  # fmt: skip

    whole = weights(train(tokenizer, tmp_path / "whole", config))
    # Two steps have a line each of training and of validation; the third was validated.
    with pytest.raises(CutError):
        train(tokenizer, tmp_path / "cut", config, stop=5)
    assert same(weights(train(tokenizer, tmp_path / "cut", config)), whole)
    logs = [MetricsLog(tmp_path / name / "metrics.jsonl") for name in ("whole", "cut")]
    assert scores(logs[0], "grpo") == scores(logs[1], "grpo") == list(found.items())
    best = [tmp_path / name / "best" for name in ("whole", "cut")]
    assert [json.loads((one / "validation.json").read_text())["step"] for one in best] == [3, 3]
    kept = [weights(AutoModelForCausalLM.from_pretrained(one, dtype=torch.float32)) for one in best]
    assert same(kept[0], kept[1])


def test_episodes_that_break_are_no_zeros(
    tokenizer: Any, examples: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [1]

    class Fragile(LikesDigits):
        def step(self, action: str) -> Any:
            if self.task.seed in broken:
                raise RuntimeError("no disk")
            observation, reward, _, truncated, info = super().step(action)
            return observation, reward, True, truncated, info | {"score": 0.5}

    monkeypatch.setattr(validation, "make_env", lambda *_: Fragile())
    config = settings("method.validation.sft_steps=6")
    fine_tune(tokenizer, examples, config, tmp_path / "one")
    [row] = [row for row in MetricsLog(tmp_path / "one/metrics.jsonl").rows("sft") if "validation/score" in row]
    assert row["validation/score"] == 0.5 and row["validation/invalid"] == pytest.approx(1 / 3)
    broken += [0, 2]
    with pytest.raises(InfrastructureError, match="every episode of a validation broke"):
        fine_tune(tokenizer, examples, config, tmp_path / "all")


def test_an_engine_that_plays_rollouts_validates_with_the_likeliest_tokens(
    model: Any, tokenizer: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def of(config: Config) -> validation.Validation:
        log = MetricsLog(tmp_path / "m")
        return validation.Validation(config, "grpo", tokenizer, log, tmp_path / "t", Stopper("grpo", tmp_path))

    told, generation = of(settings("method.validation.grpo_steps=1")), Generation(model, None, tokenizer)
    told.trainer = SimpleNamespace(
        vllm_generation=generation, _last_loaded_step=4, state=SimpleNamespace(global_step=5), model=model
    )
    engine = told._sampler(1)
    assert isinstance(engine, ColocatedEngine) and engine._draws.temperature == 0.0
    engine.begin()
    assert generation.told == ["sync"] and told.trainer._last_loaded_step == 5
    # Sharded weights are not validated.
    config = load("train", ["hardware=a100_80_8"])[0]
    assert config.method.validation.grpo_steps and of(config).every == 0
    assert capsys.readouterr().err == "grpo: no validation, since no process holds all weights\n"


def test_the_share_of_valid_calls() -> None:
    call = {"role": "assistant", "content": "", "tool_calls": [{}]}
    words = {"role": "assistant", "content": "Done."}
    one = Rollout("a", [], messages=[call, call, call, words, words], errors={"malformed": 1, "order": 1})
    assert validation._valid_calls([one, Rollout("b", [], messages=[words])]) == 2 / 4
    assert validation._valid_calls([Rollout("b", [], messages=[words])]) == 0


def test_the_folder_of_the_best(model: Any, tokenizer: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    best, checkpoint = Best("grpo", tmp_path / "best"), tmp_path / "checkpoint"
    assert best.begin(3) is None and not best.hand_on(checkpoint)
    best.keep(model, tokenizer, Mark(2, 0.0, 1.0))
    assert not best.hand_on(checkpoint), "the earliest of many that score nothing has learned least"
    best.keep(model, tokenizer, Mark(3, 0.5, 1.0))
    assert best.begin(3) == best.begin(2) == Mark(3, 0.5, 1.0)
    best.folder.rename(tmp_path / "best.part")  # as a kill leaves it
    assert best.begin(3) == Mark(3, 0.5, 1.0)
    (best.folder / "tokenizer.json").write_text("{}")
    assert not best.hand_on(checkpoint) and best.begin(3) is None
    told = capsys.readouterr().err
    assert "tokenizer.json is damaged); kept as best.damaged" in told
    best.keep(model, tokenizer, Mark(3, 0.5, 1.0))
    assert best.begin(0) is None, "a phase that begins anew has no best yet"
    assert (tmp_path / "best.earlier").exists() and not best.folder.exists()


def test_validation_never_plays_the_tasks_of_the_evaluation() -> None:
    config = load("train", ["method.validation.n=999"])[0]
    assert config.method.validation.grpo_steps > 0 == load("demo", [])[0].method.validation.grpo_steps
    ids = validation_tasks(config.method.validation, ["loans"], Band())
    assert set(ids) == {task.id for task in load_tasks("loans", "validation")}, "there are fewer"
    few = ValidationConfig(sft_steps=1, grpo_steps=0, n=5, at_once=1, keep="best")
    assert len(set(validation_tasks(few, ["loans", "savings"], Band())) & {*ids}) == 5
    with pytest.raises(OptionError, match=r"method.validation: no task of split validation of loans .* to 0"):
        validation_tasks(few, ["loans"], Band(0.0, 0.001))
