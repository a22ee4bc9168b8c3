"""A chat template that cannot be trained with is refused before anything is made with it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from trl import chat_template_utils

from teller_gym.base.errors import OptionError
from teller_gym.training.models.chat_templates import expect_trainable
from teller_gym.training.models.load import load_tokenizer

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
        # TRL takes this one, since it looks at one call without words.
        with_template(tokenizer, BROKEN[told]).save_pretrained(tmp_path)
        with pytest.raises(OptionError, match=told):
            load_tokenizer(str(tmp_path))
