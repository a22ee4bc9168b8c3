"""Thinking is one setting for training, checkpoints and endpoints; training stores it in the checkpoint."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from teller_gym.agents.chat import THINKING_KEY, ChatFormat, PromptStyle, thinks
from teller_gym.agents.language import LanguageAgent
from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.batches import encode
from teller_gym.training.demonstrations.expert import Trajectory
from teller_gym.training.models import load as load_module
from teller_gym.training.models.load import load_model, save_model
from tests.training.models.test_chat_templates import GOOD, with_template

WORD = GOOD.replace("\n{%- for message", "\n{{- 'THINK' if enable_thinking else 'ANSWER' }}\n{%- for message", 1)


def thinking(tokenizer: Any, on: bool) -> Any:
    other = with_template(copy.deepcopy(tokenizer), WORD)
    other.init_kwargs = dict(tokenizer.init_kwargs) | ({THINKING_KEY: True} if on else {})
    return other


@pytest.mark.parametrize("on", [False, True])
def test_every_rendering_of_a_training_follows_it(tokenizer: Any, trajectories: list[Trajectory], on: bool) -> None:
    mine, word = thinking(tokenizer, on), "THINK" if on else "ANSWER"
    example = encode(trajectories[0], mine, PromptStyle.MINIMAL)
    prompt = ChatFormat(mine, PromptStyle.MINIMAL).prompt_ids(trajectories[0].messages[:2], [])
    assert mine.decode(example.ids.tolist()).startswith(word)
    assert mine.decode(prompt).startswith(word)


def test_the_checkpoint_is_evaluated_as_it_was_trained(model: Any, tokenizer: Any, tmp_path: Path) -> None:
    config = load("demo", ["model.thinking=true"])[0]
    for on in (False, True):
        folder = tmp_path / str(on)
        save_model(model, thinking(tokenizer, on), folder)
        assert thinks(load_model(folder, config)[1]) is on
        assert LanguageAgent.from_folder(folder, device="cpu").format.thinking is on
        assert LanguageAgent.from_folder(folder, device="cpu", thinking=not on).format.thinking is not on


@pytest.mark.parametrize("on", [False, True])
def test_the_setting_of_a_training_is_its_tokenizers(on: bool, trajectories: list[Trajectory]) -> None:
    config = load("demo", [f"model.thinking={str(on).lower()}"])[0]
    assert thinks(load_module.make_model(config, trajectories)[1]) is on


def test_a_template_that_cannot_be_trained_with_when_it_thinks_is_refused(
    tokenizer: Any, trajectories: list[Trajectory], monkeypatch: pytest.MonkeyPatch
) -> None:
    template = GOOD.replace("assistant\\n' }}{%- endif", "assistant\\n' }}{{- '<think>' if enable_thinking }}{%- endif")
    assert template != GOOD
    monkeypatch.setattr(load_module, "_pretrained", lambda config: (_Model(), with_template(tokenizer, template)))
    words = ["model.name=some/model", "model.thinking=true"]
    with pytest.raises(OptionError, match="the prompt before a turn of the assistant is another one"):
        load_module.make_model(load("demo", words)[0], trajectories)


class _Model:
    config = type("Config", (), {})
