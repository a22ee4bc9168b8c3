"""Runs whose conversations do not fit are refused before training, and the message names a remedy."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.scripted import WorkingExpert
from teller_gym.base.errors import OptionError
from teller_gym.cli import main
from teller_gym.training.config.run import Config, load
from teller_gym.training.demonstrations.context_window import Lengths, check_window, expect_continued, measure
from teller_gym.training.demonstrations.expert import Trajectory, play_expert
from teller_gym.training.models import tiny
from teller_gym.training.models.tiny import train_tokenizer
from teller_gym.training.tasks.seeds import LeakGuard, make_env
from tests.training.small import SMALL

LENGTHS = Lengths(prompt=8000, turn=210, last=11_800, whole=11_950, episodes=24)


def config(*overrides: str) -> Config:
    return load("train", ["model=qwen3_1_7b", "logger=none", "model.turn_tokens=512", *overrides])[0]


def refusal(lengths: Lengths, window: int, *overrides: str) -> str:
    with pytest.raises(OptionError) as caught:
        check_window(lengths, config(*overrides), window)
    return str(caught.value)


def test_the_last_turn_needs_its_room() -> None:
    assert check_window(LENGTHS, config("model.total_tokens=12312"), 40_960) == []
    text = refusal(LENGTHS, 40_960, "model.total_tokens=12311")
    assert text.startswith("model.total_tokens: expected at least 12312, got 12311") and text.endswith("raise it")
    text = refusal(LENGTHS, 16_000, "model.total_tokens=20000")
    assert text == "model.total_tokens: expected at most 16000, the window of Qwen/Qwen3-1.7B, got 20000"


def test_remedies_and_calls_that_will_be_cut_off_are_named() -> None:
    long = replace(LENGTHS, prompt=92_000, last=95_000, whole=96_000)
    text = refusal(long, 40_960, "model.prompt=full", "env.distractors=all")
    assert "has a window of 40960: take another model, or show less (model.prompt=compact or fewer env.distr" in text
    (line,) = check_window(LENGTHS, config("model.turn_tokens=128"), 40_960)
    assert "model.turn_tokens=128" in line and "210 tokens" in line


def test_lengths_are_those_of_the_rendered_episodes(
    trajectories: list[Trajectory], tokenizer: Any, chat: ChatFormat
) -> None:
    found = measure(trajectories, tokenizer, PromptStyle.MINIMAL)
    prompts = []
    for one in trajectories:
        before = next(n for n, message in enumerate(one.messages) if message["role"] == "assistant")
        prompts.append(len(chat.prompt_ids(one.messages[:before], one.tools)))
    assert found.prompt == max(prompts)
    assert found.episodes == len(trajectories)
    assert found.prompt < found.last < found.whole and found.turn <= found.whole - found.prompt


def test_a_turn_begins_with_tokens_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn may begin with a word. A rollout can sample it only if no token joins it with the role before it."""
    env = make_env("Teller-Loans-v0", {}, "generated")
    guard, expert = LeakGuard(lambda scenario, split: []), WorkingExpert(env)
    episodes = [play_expert(env, expert, f"loans-g-{seed}", guard) for seed in range(4)]
    texts = [str(message["content"]) for one in episodes for message in one.messages]
    texts += [f"<|im_start|>assistant{text}" for text in texts]
    expect_continued(episodes, train_tokenizer(texts, 4096), PromptStyle.MINIMAL)
    monkeypatch.setattr(tiny, "PIECES", tiny.PIECES.replace(r"\Aassistant|", ""))
    with pytest.raises(OptionError, match="before message 5 of expert episode loans-g-0 differ"):
        expect_continued(episodes, train_tokenizer(texts, 4096), PromptStyle.MINIMAL)


@pytest.mark.training
@pytest.mark.usefixtures("played_once")
def test_the_command_stops_before_it_trains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    small = [one for one in SMALL if not one.startswith("model.total_tokens")]
    assert main(["train", "--config-name", "demo", f"run_dir={folder}", *small, "model.total_tokens=300"]) == 2
    assert "model.total_tokens: expected at least" in capsys.readouterr().err
    assert not (folder / "untrained").exists() and not (folder / "sft").exists()
