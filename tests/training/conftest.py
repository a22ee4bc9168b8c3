"""Small models and data that the training tests share."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="the extra `train` is not installed")

from teller_gym.agents.chat import ChatFormat, PromptStyle, present
from teller_gym.training.demonstrations import expert
from teller_gym.training.demonstrations.batches import Example, encode
from teller_gym.training.demonstrations.expert import Trajectory, play_expert
from teller_gym.training.models.tiny import build_model, train_tokenizer
from teller_gym.training.tasks.seeds import LeakGuard
from tests.training.small import run
from tests.training.stub_env import StubEnv, StubExpert
from tests.training.toy import SHAPE

# Trainers collect garbage several times per run, which is slow unless the libraries' objects are frozen.
gc.collect()
gc.freeze()


@pytest.fixture(scope="session")
def trajectories() -> list[Trajectory]:
    """Twelve episodes of the toy expert."""
    env = StubEnv()
    guard = LeakGuard(lambda scenario, split: [])
    return [play_expert(env, StubExpert(env), f"stub-g-{seed}", guard) for seed in range(12)]


@pytest.fixture(scope="session")
def tokenizer(trajectories: list[Trajectory]) -> Any:
    """A tiny tokenizer trained on those episodes."""
    blank = train_tokenizer([], 0)
    chats = [present(one.messages, one.tools, PromptStyle.MINIMAL)[0] for one in trajectories]
    return train_tokenizer([blank.apply_chat_template(chat, tokenize=False) for chat in chats], SHAPE.vocabulary)


@pytest.fixture(scope="session")
def chat(tokenizer: Any) -> ChatFormat:
    """Chats with the tokenizer, whose prompts show only the request."""
    return ChatFormat(tokenizer, PromptStyle.MINIMAL)


@pytest.fixture(scope="session")
def examples(tokenizer: Any, trajectories: list[Trajectory]) -> list[Example]:
    """The beginnings of those episodes in tokens."""
    return [encode(one, tokenizer, PromptStyle.MINIMAL).cut(300) for one in trajectories]


@pytest.fixture
def model(tokenizer: Any) -> Any:
    """A tiny model, fresh for each test."""
    return build_model(SHAPE, tokenizer, seed=0)


@pytest.fixture
def no_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no task belong to an evaluation split, since the toy desk has none."""
    monkeypatch.setattr(LeakGuard, "forbidden", lambda self, scenario: frozenset())


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished miniature run of the recipe; tests must not change it."""
    folder = tmp_path_factory.mktemp("runs") / "one"
    assert run(folder) == 0
    return folder


_LINES: dict[tuple[str, int], Any] = {}
"""Lines made from the expert's trajectories, by request and number."""


@pytest.fixture(scope="module")
def played_once() -> Iterator[None]:
    """Share the expert's trajectories among the runs of a module, for tests of the steps after the data."""
    play = expert._Maker.__call__

    def lines(self: Any, numbers: range) -> Any:
        found = []
        for number in numbers:
            key = repr(self._wanted), number
            if key not in _LINES:
                _LINES[key] = play(self, range(number, number + 1))
            found.append(_LINES[key])
        return [line for some, _ in found for line in some], {
            key: one for _, heads in found for key, one in heads.items()
        }

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expert._Maker, "__call__", lines)
        yield
