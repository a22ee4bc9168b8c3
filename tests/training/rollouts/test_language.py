"""A checkpoint folder as an agent: by itself, in a batch, and in an evaluation of Loans."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from teller_gym.agents.language import PROMPT_KEY, LanguageAgent
from teller_gym.base.errors import OptionError
from teller_gym.training.models.load import save_model
from teller_gym.training.models.tiny import build_model
from tests.training.stub_env import StubEnv
from tests.training.toy import SHAPE


@pytest.fixture(scope="module")
def folder(tokenizer: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = build_model(SHAPE, tokenizer, seed=0)
    setattr(model.config, PROMPT_KEY, "minimal")
    found: Path = tmp_path_factory.mktemp("language") / "checkpoint"
    save_model(model, tokenizer, found)
    return found


def chats(count: int) -> list[list[dict[str, Any]]]:
    found = []
    for seed in range(count):
        env = StubEnv()
        env.reset(options={"task_id": f"stub-g-{seed}"})
        found.append(env.messages())
    return found


def test_a_batch_answers_like_one_by_one(folder: Path) -> None:
    batch = LanguageAgent.from_folder(folder, device="cpu", max_new_tokens=20)
    together = batch.act_batch(chats(3), [[]] * 3)
    assert [set(usage) for usage in batch.usage] == [{"prompt", "completion"}] * 3
    assert all(0 < usage["completion"] <= 20 and usage["prompt"] > 10 for usage in batch.usage)
    for conversation, text in zip(chats(3), together, strict=True):
        alone = LanguageAgent.from_folder(folder, device="cpu", max_new_tokens=20)
        assert alone.act_batch([conversation], [[]]) == [text]


def test_the_next_turn_is_the_same_with_and_without_a_cache(folder: Path) -> None:
    agent = LanguageAgent.from_folder(folder, device="cpu", max_new_tokens=20)
    talks = chats(3)
    for turn in range(3):
        talks = talks if turn != 2 else [talks[2], talks[0]]
        fresh = LanguageAgent.from_folder(folder, device="cpu", max_new_tokens=20)
        fresh._carried = copy.deepcopy(agent._carried)
        texts = agent.act_batch(talks, [[]] * len(talks))
        assert fresh.act_batch(talks, [[]] * len(talks)) == texts
        for talk, text in zip(talks, texts, strict=True):
            talk += [{"role": "assistant", "content": text}, {"role": "tool", "content": f'{{"error":{turn}}}'}]


def test_the_checkpoint_knows_its_prompt_and_template(folder: Path, tokenizer: Any) -> None:
    agent = LanguageAgent.from_folder(folder, device="cpu")
    assert agent.format.style == "minimal"
    assert agent.format.tokenizer.chat_template == tokenizer.chat_template
    assert LanguageAgent.from_folder(folder, device="cpu", prompt="compact").format.style == "compact"
    with pytest.raises(OptionError, match="not a checkpoint"):
        LanguageAgent.from_folder(folder.parent)


def test_a_conversation_without_room_is_ended_in_words(folder: Path) -> None:
    agent = LanguageAgent.from_folder(folder, device="cpu", max_new_tokens=20, max_tokens=60)
    short, long = chats(2)
    long += [{"role": "assistant", "content": "x" * 200}]
    texts = agent.act_batch([long, short], [[], []])
    assert "{" not in texts[0] and texts[0].startswith("I have run out")
    assert texts[1] != texts[0]
