"""Every loss trains and continues, splits into passes without changing its gradient, and counts what it should."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from teller_gym.configuration.compose import choices
from teller_gym.training.models.tiny import build_model
from teller_gym.training.phases.grpo_trainer import TurnTrainer, lengths_of, trimmed
from teller_gym.training.rollouts.rollout import End
from tests.training import toy
from tests.training.stub_env import StubEnv
from tests.training.toy import SHAPE, CutError, LikesDigits, play_on, rows_of, same, settings, watched, weights

pytestmark = [pytest.mark.training, pytest.mark.usefixtures("no_leaks")]


def train(tokenizer: Any, folder: Path, *overrides: str, stop: int | None = None) -> tuple[Any, list[dict[str, Any]]]:
    """Train with groups of four; return weights and metrics."""
    model = build_model(SHAPE, tokenizer, seed=0)
    # The reference model is loaded from the folder that the trained model names as its origin.
    model.save_pretrained(folder / "begun")
    model.config._name_or_path = str(folder / "begun")
    config = settings("method.grpo.learning_rate=1e-2", "method.grpo.group=4", "method.grpo.steps=2", *overrides)
    trained = toy.train(tokenizer, folder, config, stop, model)
    return weights(trained), rows_of(folder)


@pytest.mark.parametrize("loss", choices("loss"))
def test_every_loss_trains_and_continues(
    loss: str, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_on(monkeypatch, LikesDigits)
    small = [f"loss={loss}", "method.grpo.save_steps=1"] + (["loss.updates=2"] if loss == "gspo" else [])
    whole, rows = train(tokenizer, tmp_path / "whole", *small)
    begun = build_model(SHAPE, tokenizer, seed=0).state_dict()
    assert not any(torch.equal(whole[name], begun[name]) for name in whole if "mlp" in name)
    with pytest.raises(CutError):
        train(tokenizer, tmp_path / "cut", *small, stop=1)
    # A kill during the saving of a checkpoint leaves such a folder.
    (tmp_path / "cut" / "grpo" / "checkpoint-3").mkdir()
    again, rows_again = train(tokenizer, tmp_path / "cut", *small)
    assert same(whole, again) and [row["step"] for row in rows] == [row["step"] for row in rows_again]
    lines = [(tmp_path / name / "transcripts.jsonl").read_text().splitlines() for name in ("whole", "cut")]
    assert lines[0] == lines[1], "the transcripts differ"
    assert [json.loads(line)["step"] for line in lines[0]] == [0, 0, 1, 1], "two groups in each of two steps"


@pytest.mark.parametrize("loss", ["grpo", "dr_grpo", "dapo", "gspo", "grpo loss.beta=0"])
def test_passes_add_up_to_the_whole_batch(
    loss: str, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The update is the same in one pass and with a pass per rollout; with SGD it is proportional to the gradient."""
    play_on(monkeypatch, LikesDigits)
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
        assert sum(float((changes[name] - single[name]).norm()) for name in single) < 0.01 * moved
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
    """Answers at such length on tasks with an odd seed that the episode runs out of tokens; rewards long actions."""

    def step(self, action: str) -> Any:
        observation, reward, terminated, truncated, info = super().step(action)
        terminated = self.task.seed % 2 == 0
        if not terminated:
            observation = observation | {"tool_result": "much " * 400}
        return observation, reward, terminated, truncated, info | {"score": len(action) / 1000}


@pytest.mark.parametrize("setting", ["scored", "left_out"])
def test_rollouts_that_ran_out_count_or_are_left_out(
    setting: str, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_on(monkeypatch, RunsOut)
    seen = watched(monkeypatch, TurnTrainer, "_generate_and_score_completions")
    _, (row,) = train(tokenizer, tmp_path, "method.grpo.steps=1", f"loss.out_of_tokens={setting}")
    ((trainer, output),) = seen
    advantages = output["advantages"]
    out = torch.tensor([one.end is End.TOKENS for one in trainer.player.rollouts])
    assert out.sum() == 4 and row["episodes/out_of_tokens"] == 0.5
    assert bool(advantages[out].any()) is (setting == "scored")
    assert advantages[~out].any()
