"""Chat templates that are unsuitable for training are refused early, and one setting controls thinking."""

import copy
from pathlib import Path
from typing import Any

import pytest
from trl import chat_template_utils

from teller_gym.agents.chat import THINKING_KEY, ChatFormat, PromptStyle, thinks
from teller_gym.agents.language import LanguageAgent
from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.batches import encode
from teller_gym.training.demonstrations.expert import Trajectory
from teller_gym.training.models import load as load_module
from teller_gym.training.models.chat_templates import expect_trainable
from teller_gym.training.models.load import load_model, load_tokenizer, save_model

GOOD = """
{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' }}
{%- if message.role == 'assistant' %}
{%- generation %}{{- message.content }}
{%- for call in message.tool_calls or [] %}{{- '<tool_call>' + call.function | tojson + '</tool_call>' }}{%- endfor %}
{{- '<|im_end|>' }}{%- endgeneration %}
{%- else %}{{- message.content + '<|im_end|>' }}
{%- endif %}{{- '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"""

BROKEN = {
    "what follows a turn of the assistant changes the tokens": GOOD.replace(
        "{{- message.content }}", "{{- message.content if loop.last else '' }}"
    ),
    "the prompt before a turn of the assistant is another one": GOOD.replace(
        "'<|im_start|>assistant\\n'", "'<|im_start|>assistant\\n<think>'"
    ),
    "it marks 1 turns of the assistant, and the chat has 3": GOOD.replace(
        "{%- generation %}{{- message.content }}",
        "{%- if not message.tool_calls %}{%- generation %}{{- message.content + '<|im_end|>' }}{%- endgeneration %}"
        "{%- else %}{{- message.content }}",
    ).replace("{{- '<|im_end|>' }}{%- endgeneration %}", "{{- '<|im_end|>' }}{%- endif %}"),
    "it marks 0 turns of the assistant, and the chat has 3": GOOD.replace("{%- generation %}", "").replace(
        "{%- endgeneration %}", ""
    ),
    "the token that ends a turn is not among the marked ones": GOOD.replace(
        "{{- '<|im_end|>' }}{%- endgeneration %}", "{%- endgeneration %}{{- '<|im_end|>' }}"
    ),
    "it fails on a chat with tool calls (no tools here)": GOOD.replace(
        "{%- else %}", "{%- elif message.role == 'tool' %}{{- raise_exception('no tools here') }}{%- else %}"
    ),
}


def with_template(tokenizer: Any, template: str) -> Any:
    other = copy.deepcopy(tokenizer)
    other.chat_template = template
    return other


def test_templates_that_can_be_trained_with_pass(tokenizer: Any) -> None:
    expect_trainable(tokenizer, "ours")
    expect_trainable(with_template(tokenizer, GOOD), "good")
    for family in ("qwen2_5", "qwen3", "qwen3_instruct_2507"):
        template = getattr(chat_template_utils, f"{family}_training_chat_template")
        expect_trainable(with_template(tokenizer, template), family)


@pytest.mark.parametrize("told", BROKEN)
def test_a_broken_one_is_told_with_what_to_do(told: str, tokenizer: Any, tmp_path: Path) -> None:
    assert BROKEN[told] != GOOD
    with pytest.raises(OptionError) as caught:
        expect_trainable(with_template(tokenizer, BROKEN[told]), "mine")
    message = str(caught.value)
    assert message.startswith(f"model mine: its chat template cannot be trained with: {told}")
    assert "or change chat_template.jinja in a local folder" in message
    if "changes the tokens" in told:
        # TRL accepts this one, since its check renders a single call without text.
        with_template(tokenizer, BROKEN[told]).save_pretrained(tmp_path)
        with pytest.raises(OptionError, match=told):
            load_tokenizer(str(tmp_path))


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
