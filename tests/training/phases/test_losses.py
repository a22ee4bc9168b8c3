"""Every loss trains and continues, splits into passes without changing its gradient, and counts what it should."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

pytest.importorskip("trl", reason="the extra `train` is not installed")

from teller_gym.configuration.compose import choices
from teller_gym.training.config.run import Config, load
from teller_gym.training.models.tiny import build_model
from teller_gym.training.phases.grpo import train_grpo
from teller_gym.training.phases.grpo_trainer import TurnTrainer, lengths_of, trimmed
from teller_gym.training.rollouts.rollout import End
from teller_gym.training.run_folder.metrics_log import MetricsLog
from tests.training.conftest import SHAPE
from tests.training.phases.test_trainers import CutError, LikesDigits, cut_log, no_leaks, weights
from tests.training.stub_env import StubEnv

pytestmark = pytest.mark.training

__all__ = ["no_leaks"]


def settings(*overrides: str) -> Config:
    stub = ["env.id=TellerStub-v0", "logger=none", "difficulty=null", "model.turn_tokens=40", "model.total_tokens=400"]
    small = ["method.grpo.tasks=2", "method.grpo.group=4", "method.grpo.log_steps=1", "method.grpo.steps=2"]
    return load("demo", [*stub, *small, *overrides])[0]


@pytest.fixture
def digits(monkeypatch: pytest.MonkeyPatch, no_leaks: None) -> None:
    monkeypatch.setattr("teller_gym.training.phases.grpo.make_env", lambda *_: LikesDigits())


def train(tokenizer: Any, folder: Path, *overrides: str, stop: int | None = None) -> tuple[Any, list[dict[str, Any]]]:
    torch.manual_seed(0)
    log = cut_log(folder / "metrics.jsonl", stop)
    model = build_model(SHAPE, tokenizer, seed=0)
    # The model that divergence is measured from is loaded from where the trained one came from.
    model.save_pretrained(folder / "begun")
    model.config._name_or_path = str(folder / "begun")
    config = settings("method.grpo.learning_rate=1e-2", *overrides)
    trained = train_grpo(model, tokenizer, config, folder / "grpo", log, folder / "t.jsonl")
    return weights(trained), list(MetricsLog(folder / "metrics.jsonl").rows("grpo"))


@pytest.mark.parametrize("loss", choices("loss"))
def test_every_loss_trains_and_continues(loss: str, tokenizer: Any, tmp_path: Path, digits: None) -> None:
    small = [f"loss={loss}", "method.grpo.save_steps=1"] + (["loss.updates=2"] if loss == "gspo" else [])
    whole, rows = train(tokenizer, tmp_path / "whole", *small)
    begun = build_model(SHAPE, tokenizer, seed=0).state_dict()
    assert not any(torch.equal(whole[name], begun[name]) for name in whole if "mlp" in name)
    with pytest.raises(CutError):
        train(tokenizer, tmp_path / "cut", *small, stop=1)
    again, rows_again = train(tokenizer, tmp_path / "cut", *small)
    assert all(torch.allclose(whole[name], again[name], atol=1e-6) for name in whole)
    assert [row["step"] for row in rows] == [row["step"] for row in rows_again]
    lines = [(tmp_path / name / "t.jsonl").read_text().splitlines() for name in ("whole", "cut")]
    assert lines[0] == lines[1] and len(lines[0]) == 4, "two groups in each of two steps"


@pytest.mark.parametrize("loss", ["grpo", "dr_grpo", "dapo", "gspo", "dapo loss.type=bnpo", "grpo loss.beta=0"])
def test_passes_add_up_to_the_whole_batch(loss: str, tokenizer: Any, tmp_path: Path, digits: None) -> None:
    """The same update whether the batch goes in one pass or one rollout at a time; SGD moves as its gradient says."""
    small = [*f"loss={loss}".split(), "loss.updates=1", "method.grpo.steps=1", "method.grpo.optimizer=sgd"]
    begun = build_model(SHAPE, tokenizer, seed=0).state_dict()
    found = []
    for budget in (1, 300, 10**6):
        trained, (row,) = train(tokenizer, tmp_path / str(budget), *small, f"hardware.update_tokens={budget}")
        found.append(({name: trained[name] - begun[name] for name in trained}, row))
    (single, one), *others = found
    moved = sum(float(change.norm()) for change in single.values())
    assert moved > 0
    for changes, row in others:
        apart = sum(float((changes[name] - single[name]).norm()) for name in single)
        assert apart < 0.01 * moved
        assert row["loss"] == pytest.approx(one["loss"], abs=1e-4)
        assert row["grad_norm"] == pytest.approx(one["grad_norm"], rel=1e-2)


def test_a_pass_has_no_columns_of_others() -> None:
    mask = torch.tensor([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 0, 0]])
    batch = {
        "prompt_ids": torch.arange(15).reshape(3, 5), "prompt_mask": torch.ones(3, 5), "completion_mask": mask,
        "completion_ids": torch.arange(15).reshape(3, 5), "advantages": torch.tensor([1.0, 2.0, 3.0]),
        "importance_sampling_ratio": torch.ones(3, 1), "tool_mask": mask, "num_items_in_batch": torch.tensor(9),
    }  # fmt: skip
    assert lengths_of(mask).tolist() == [2, 4, 3]
    part = trimmed(batch, [0, 2])
    assert part["completion_ids"].tolist() == [[0, 1, 2], [10, 11, 12]] and part["tool_mask"].shape == (2, 3)
    assert part["prompt_ids"].shape == (2, 5), "also where the prompt has as many columns as the rest"
    assert part["advantages"].tolist() == [1.0, 3.0] and part["num_items_in_batch"] == 9
    assert part["importance_sampling_ratio"].shape == (2, 1)


class RunsOut(StubEnv):
    """Says so much on tasks with an odd seed that the episode runs out of tokens; pays by what was said."""

    def step(self, action: str) -> Any:
        observation, reward, terminated, truncated, info = super().step(action)
        if self.task.seed % 2:
            observation, terminated = observation | {"tool_result": "much " * 400}, False
        else:
            terminated = True
        return observation, reward, terminated, truncated, info | {"score": len(action) / 1000}


@pytest.mark.parametrize("setting", ["scored", "left_out"])
def test_rollouts_that_ran_out_count_or_are_left_out(
    setting: str, tokenizer: Any, tmp_path: Path, no_leaks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("teller_gym.training.phases.grpo.make_env", lambda *_: RunsOut())
    seen: list[Any] = []
    score = TurnTrainer._generate_and_score_completions

    def watch(self: Any, inputs: Any) -> Any:
        output = score(self, inputs)
        seen.append((output["advantages"], [one.end for one in self.player.rollouts]))
        return output

    monkeypatch.setattr(TurnTrainer, "_generate_and_score_completions", watch)
    _, (row,) = train(tokenizer, tmp_path, "method.grpo.steps=1", f"loss.out_of_tokens={setting}")
    ((advantages, ends),) = seen
    out = torch.tensor([end is End.TOKENS for end in ends])
    assert out.sum() == 4 and row["episodes/out_of_tokens"] == 0.5
    assert bool(advantages[out].any()) is (setting == "scored")
    assert advantages[~out].any()
