"""SFT and GRPO through TRL on the toy desk: they learn, log, and continue where they were cut off."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from teller_gym.agents.chat import PromptStyle
from teller_gym.training.config.run import Config, load
from teller_gym.training.demonstrations.batches import Example, encode
from teller_gym.training.demonstrations.expert import Trajectory
from teller_gym.training.models.tiny import build_model
from teller_gym.training.phases.grpo import train_grpo
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.phases.grpo_trainer import TurnTrainer
from teller_gym.training.phases.sft import train_sft
from teller_gym.training.rollouts.rollout import End, EnvPool
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.tasks.seeds import LeakGuard
from tests.training.conftest import SHAPE
from tests.training.stub_env import StubEnv

pytestmark = pytest.mark.training


def settings(*overrides: str) -> Config:
    stub = ["env.id=TellerStub-v0", "logger=none", "difficulty=null", "model.turn_tokens=40", "model.total_tokens=400"]
    small = ["method.grpo.tasks=2", "method.grpo.group=2", "method.grpo.log_steps=1", "method.sft.log_steps=1"]
    return load("demo", [*stub, *small, *overrides])[0]


@pytest.fixture
def examples(tokenizer: Any, trajectories: list[Trajectory]) -> list[Example]:
    return [encode(one, tokenizer, PromptStyle.MINIMAL).cut(300) for one in trajectories]


class LikesDigits(StubEnv):
    """An episode is one turn; its score is the share of digits in what was said."""

    def step(self, action: str) -> Any:
        observation, reward, _, truncated, info = super().step(action)
        share = sum(map(str.isdigit, action)) / max(1, len(action))
        return observation, reward, True, truncated, info | {"score": share}


class CutError(Exception):
    """Stands for a kill."""


def cut_log(path: Path, stop: int | None) -> MetricsLog:
    """A metrics file; after ``stop`` lines, writing another one raises `CutError`."""
    log = MetricsLog(path)
    write, count = log.write, 0

    def failing(phase: str, step: int, metrics: dict[str, Any]) -> None:
        nonlocal count
        count += 1
        if stop is not None and count > stop:
            raise CutError
        write(phase, step, metrics)

    log.write = failing  # type: ignore[method-assign]
    return log


def weights(model: Any) -> dict[str, Any]:
    return {name: value.clone() for name, value in model.state_dict().items()}


def test_sft_learns_the_expert(model: Any, tokenizer: Any, examples: list[Example], tmp_path: Path) -> None:
    config = settings("method.sft.batch_tokens=600", "method.sft.warmup_steps=2")
    log = MetricsLog(tmp_path / "metrics.jsonl")
    train_sft(model, tokenizer, [], examples * 4, config, tmp_path / "sft", log)
    losses = [row["loss"] for row in log.rows("sft")]
    assert len(losses) >= 24 and losses[-1] < losses[0] - 1.5


def test_sft_continues_to_the_same_weights(tokenizer: Any, examples: list[Example], tmp_path: Path) -> None:
    """A run that is cut off after its checkpoint and called again ends like one that was not."""
    config = settings("method.sft.batch_tokens=600", "method.sft.save_steps=2")

    def run(folder: Path, stop: int | None) -> Any:
        torch.manual_seed(0)
        model = build_model(SHAPE, tokenizer, seed=0)
        log = cut_log(folder / "metrics.jsonl", stop)
        return train_sft(model, tokenizer, [], examples, config, folder / "sft", log)

    whole = weights(run(tmp_path / "whole", None))
    with pytest.raises(CutError):
        run(tmp_path / "cut", 3)
    # As a kill while a checkpoint is being saved leaves it.
    (tmp_path / "cut" / "sft" / "checkpoint-3").mkdir()
    again = weights(run(tmp_path / "cut", None))
    assert all(torch.allclose(whole[name], again[name], atol=1e-6) for name in whole)
    rows = [
        [(row["step"], row["num_tokens"]) for row in MetricsLog(tmp_path / name / "metrics.jsonl").rows("sft")]
        for name in ("whole", "cut")
    ]
    assert rows[0] == rows[1] and [step for step, _ in rows[0]] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("name", ["optimizer.pt", "scheduler.pt", "model.safetensors", "trainer_state.json"])
def test_a_damaged_checkpoint_is_told_and_the_one_before_continued(
    name: str, tokenizer: Any, examples: list[Example], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing goes on with a fresh optimizer, and what comes out is what would have without the damage."""
    config = settings("method.sft.batch_tokens=1000", "method.sft.save_steps=1")

    def run(folder: Path) -> tuple[dict[str, Any], list[tuple[int, float]]]:
        torch.manual_seed(0)
        log = MetricsLog(tmp_path / "metrics.jsonl")
        model = train_sft(build_model(SHAPE, tokenizer, seed=0), tokenizer, [], examples, config, folder, log)
        return weights(model), [(row["step"], row["loss"]) for row in log.rows("sft")]

    folder = tmp_path / "sft"
    whole, rows = run(folder)
    last, before = len(rows), len(rows) - 1
    assert {path.name for path in folder.glob("checkpoint-*")} == {f"checkpoint-{last}", f"checkpoint-{before}"}
    file = folder / f"checkpoint-{last}" / name
    if name == "optimizer.pt":
        file.unlink()
    elif name == "scheduler.pt":
        file.write_bytes(bytes(file.stat().st_size))
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    capsys.readouterr()
    again, rows_again = run(folder)
    why = "missing" if name == "optimizer.pt" else "damaged"
    told = f"sft: checkpoint-{last} is dropped ({name} is {why}); goes on from checkpoint-{before}\n"
    assert told in capsys.readouterr().err
    assert rows_again == rows
    assert all(torch.equal(whole[name], again[name]) for name in whole)


def test_grpo_continues_to_the_same_weights_and_transcripts(
    tokenizer: Any, tmp_path: Path, no_leaks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off after the fourth update, with a checkpoint at the second: updates three and four are made again."""
    import teller_gym.training.phases.grpo as grpo

    monkeypatch.setattr(grpo, "make_env", lambda *_: LikesDigits())
    config = settings("method.grpo.steps=4", "method.grpo.save_steps=2", "method.grpo.learning_rate=1e-2")

    def run(folder: Path, stop: int | None) -> Any:
        torch.manual_seed(0)
        model = build_model(SHAPE, tokenizer, seed=0)
        log = cut_log(folder / "metrics.jsonl", stop)
        return train_grpo(model, tokenizer, config, folder / "grpo", log, folder / "transcripts.jsonl")

    whole = weights(run(tmp_path / "whole", None))
    begun = build_model(SHAPE, tokenizer, seed=0).state_dict()
    assert not any(torch.allclose(whole[name], begun[name]) for name in whole if "mlp" in name), "nothing was learned"
    with pytest.raises(CutError):
        run(tmp_path / "cut", 3)
    (tmp_path / "cut" / "grpo" / "checkpoint-3").mkdir()
    again = weights(run(tmp_path / "cut", None))
    assert all(torch.allclose(whole[name], again[name], atol=1e-6) for name in whole)
    transcripts = [(tmp_path / name / "transcripts.jsonl").read_text() for name in ("whole", "cut")]
    assert transcripts[0] == transcripts[1]
    assert [json.loads(line)["step"] for line in transcripts[0].splitlines()] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_grpo_plays_groups_and_logs_every_term(model: Any, tokenizer: Any, tmp_path: Path, no_leaks: None) -> None:
    config = settings("method.grpo.steps=2")
    log = MetricsLog(tmp_path / "metrics.jsonl")
    transcripts = tmp_path / "transcripts.jsonl"
    before = weights(model)
    trained = train_grpo(model, tokenizer, config, tmp_path / "grpo", log, transcripts)
    rows = list(log.rows("grpo"))
    assert [row["step"] for row in rows] == [1, 2]
    for name in ("score", "checkpoints", "parameters"):
        assert f"rewards/{name}/mean" in rows[0]
    assert {"frac_reward_zero_std", "episodes/invalid", "calls/failed", "episodes/out_of_tokens"} <= set(rows[0])
    assert len(transcripts.read_text().splitlines()) == 4, "one rollout of each group"
    assert before.keys() == weights(trained).keys()


def test_a_group_works_one_task_and_breakdowns_are_no_zeros(
    model: Any, tokenizer: Any, tmp_path: Path, no_leaks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import teller_gym.training.phases.grpo as grpo

    class Fragile(StubEnv):
        """Breaks on the tasks with an odd seed, and otherwise pays by the length of what was said."""

        def step(self, action: str) -> Any:
            if self.task.seed % 2:
                raise RuntimeError("no disk")
            observation, reward, _, truncated, info = super().step(action)
            return observation, reward, True, truncated, info | {"score": len(action) / 1000}

    seen: list[Any] = []
    call: Callable[..., Any] = Player.__call__

    def watch(self: Player, prompts: Any, trainer: Any) -> Any:
        result = call(self, prompts, trainer)
        seen.append(result["rollout"])
        return result

    monkeypatch.setattr(Player, "__call__", watch)
    monkeypatch.setattr(grpo, "make_env", lambda *_: Fragile())
    config = settings("method.grpo.steps=1")
    log = MetricsLog(tmp_path / "metrics.jsonl")
    train_grpo(model, tokenizer, config, tmp_path / "grpo", log, tmp_path / "t.jsonl")
    (rollouts,) = seen
    assert [one.task_id for one in rollouts[:2]] == [rollouts[0].task_id] * 2
    assert [one.task_id for one in rollouts[2:]] == [rollouts[2].task_id] * 2 != [rollouts[0].task_id] * 2
    broken = [one for one in rollouts if one.end is End.INVALID]
    assert len(broken) == 2 and all(one.score is None for one in broken)
    (row,) = log.rows("grpo")
    fine = [one.score or 0.0 for one in rollouts if one.end is not End.INVALID]
    assert row["rewards/score/mean"] == pytest.approx(sum(fine) / len(fine), abs=1e-6)
    assert row["episodes/invalid"] == 0.5


def test_a_rollout_that_breaks_after_its_first_turn_teaches_nothing_by_turns(
    model: Any, tokenizer: Any, tmp_path: Path, no_leaks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import teller_gym.training.phases.grpo as grpo

    class BreaksLater(StubEnv):
        """Ends after a turn, or on the tasks with an odd seed goes on and breaks in the second one."""

        turns = 0

        def reset(self, **options: Any) -> Any:
            self.turns = 0
            return super().reset(**options)

        def step(self, action: str) -> Any:
            self.turns += 1
            if self.turns == 2:
                raise RuntimeError("no disk")
            observation, reward, terminated, truncated, info = super().step(action)
            goes_on = bool(self.task.seed % 2)
            return observation, reward, terminated and not goes_on, truncated, info | {"score": len(action) / 1000}

    advantages: list[Any] = []
    score = TurnTrainer._generate_and_score_completions

    def watch(self: Any, inputs: Any) -> Any:
        output = score(self, inputs)
        advantages.append((output["advantages"], [one.end is End.INVALID for one in self.player.rollouts]))
        return output

    monkeypatch.setattr(TurnTrainer, "_generate_and_score_completions", watch)
    monkeypatch.setattr(grpo, "make_env", lambda *_: BreaksLater())
    config = settings("method.grpo.steps=1", "method.grpo.turn_discount=0.5")
    log = MetricsLog(tmp_path / "metrics.jsonl")
    train_grpo(model, tokenizer, config, tmp_path / "grpo", log, tmp_path / "t.jsonl")
    ((found, invalid),) = advantages
    assert sum(invalid) == 2 and found.dim() == 2
    assert not found[invalid].any()


@pytest.mark.parametrize(
    "how",
    [
        ["optimizer=adamw", "learning_rate=5e-2", "max_grad_norm=0.5", "loss.scale_rewards=group"],
        ["optimizer=sgd", "learning_rate=20", "max_grad_norm=0.5", "turn_discount=0.5", "loss.scale_rewards=batch"],
    ],
)
def test_grpo_raises_what_pays(
    how: list[str], model: Any, tokenizer: Any, tmp_path: Path, no_leaks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reward is the share of digits in what was said; a few updates make them frequent."""
    import teller_gym.training.phases.grpo as grpo

    monkeypatch.setattr(grpo, "make_env", lambda *_: LikesDigits())
    config = settings(
        "method.grpo.steps=25", "method.grpo.group=8", "model.turn_tokens=12", "method.grpo.warmup_steps=0",
        *(setting if "." in setting.split("=")[0] else f"method.grpo.{setting}" for setting in how),
    )  # fmt: skip
    log = MetricsLog(tmp_path / "metrics.jsonl")
    train_grpo(model, tokenizer, config, tmp_path / "grpo", log, tmp_path / "t.jsonl")
    scores = [row["rewards/score/mean"] for row in log.rows("grpo")]
    # With other seeds it is 1.56 to 1.66 times as much: far from what chance does, and from this bound.
    assert sum(scores[-5:]) / 5 > 1.2 * sum(scores[:5]) / 5


def test_the_table_keeps_its_environments() -> None:
    table = EnvPool(StubEnv)
    assert table.seats(3)[:2] == table.seats(2)


@pytest.fixture
def no_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy desk has no evaluation splits."""
    monkeypatch.setattr(LeakGuard, "forbidden", lambda self, scenario: frozenset())
