"""Small trainings on the toy desk: settings, a desk that pays for digits, and a log that cuts a training off."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from teller_gym.training.config.model import TinyShape
from teller_gym.training.config.run import Config, load
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.models.tiny import build_model
from teller_gym.training.phases import grpo
from teller_gym.training.phases.sft import train_sft
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.tasks.mixture import Mixture
from tests.training.stub_env import StubEnv

SHAPE = TinyShape(hidden=64, layers=2, heads=2, kv_heads=1, head_dim=32, mlp=64, vocabulary=2600)


def settings(*overrides: str) -> Config:
    """Return settings of a run on the toy desk, with two groups of two rollouts per step."""
    stub = ["env.id=TellerStub-v0", "logger=none", "difficulty=null", "model.turn_tokens=12", "model.total_tokens=400"]
    small = ["method.grpo.tasks=2", "method.grpo.group=2", "method.grpo.log_steps=1", "method.sft.log_steps=1"]
    return load("demo", [*stub, *small, "method.sft.batch_tokens=600", *overrides])[0]


class LikesDigits(StubEnv):
    """Ends an episode after one turn; the score is the share of digits in the action."""

    def step(self, action: str) -> Any:
        observation, reward, _, truncated, info = super().step(action)
        share = sum(map(str.isdigit, action)) / max(1, len(action))
        return observation, reward, True, truncated, info | {"score": share}


def play_on(monkeypatch: pytest.MonkeyPatch, make: Callable[[], Any]) -> None:
    """Let GRPO play in environments that a function makes."""
    monkeypatch.setattr(grpo, "make_env", lambda *_: make())


def banded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the tasks of a curriculum by band and number, since the toy desk has no difficulty."""

    def drawer(mixture: Mixture, count: int, first_seed: int) -> Callable[[int, int], str]:
        return lambda band, number: f"stub-g-{1000 * band + number}"

    monkeypatch.setattr("teller_gym.training.trainer_parts.curriculum_state.drawer", drawer)


class CutError(Exception):
    """Raised in place of a kill."""


def cut_log(path: Path, stop: int | None) -> MetricsLog:
    """Open a metrics file; after ``stop`` lines, writing another one raises `CutError`."""
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


def train(tokenizer: Any, folder: Path, config: Config, stop: int | None = None, model: Any = None) -> Any:
    """Train a model by GRPO, a fresh one unless one is given."""
    torch.manual_seed(0)
    model = model or build_model(SHAPE, tokenizer, seed=0)
    log = cut_log(folder / "metrics.jsonl", stop)
    return grpo.train_grpo(model, tokenizer, config, folder / "grpo", log, folder / "transcripts.jsonl")


def fine_tune(
    tokenizer: Any, examples: list[Example], config: Config, folder: Path, log: MetricsLog | None = None
) -> Any:
    """Fine-tune a fresh model."""
    torch.manual_seed(0)
    log = log or MetricsLog(folder / "metrics.jsonl")
    return train_sft(build_model(SHAPE, tokenizer, seed=0), tokenizer, [], examples, config, folder / "trainer", log)


def rows_of(folder: Path, phase: str = "grpo") -> list[dict[str, Any]]:
    """Return the metrics that a training wrote."""
    return list(MetricsLog(folder / "metrics.jsonl").rows(phase))


def weights(model: Any) -> dict[str, Any]:
    """Return a copy of a model's weights."""
    return {name: value.clone() for name, value in model.state_dict().items()}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return True if two models have the same weights."""
    return one.keys() == other.keys() and all(torch.allclose(one[name], other[name], atol=1e-6) for name in one)


def watched(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[tuple[Any, Any]]:
    """Return a list that gets the object and the result of each call of a method."""
    seen: list[tuple[Any, Any]] = []
    original = getattr(owner, name)

    def watch(self: Any, *given: Any, **named: Any) -> Any:
        seen.append((self, original(self, *given, **named)))
        return seen[-1][1]

    monkeypatch.setattr(owner, name, watch)
    return seen
