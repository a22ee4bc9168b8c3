"""Prompts show the right part of a task, and unsuitable templates and damaged checkpoints are refused."""

import copy
from pathlib import Path
from typing import Any

import pytest

from teller_gym.agents.chat import ChatFormat, PromptStyle, present, signature
from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import load
from teller_gym.training.models.load import load_model, save_model

SCHEMA = {
    "type": "function",
    "function": {
        "name": "rate",
        "description": "The annual rate.\nIn percent.",
        "parameters": {
            "type": "object",
            "properties": {"grade": {"type": "string", "enum": ["A", "B"]}, "months": {"type": "integer"}},
            "required": ["grade"],
        },
    },
}
CHAT = [{"role": "system", "content": "Be exact."}, {"role": "user", "content": "Go."}]


def test_each_style_shows_its_part() -> None:
    assert signature(SCHEMA) == "rate(grade: A|B, months?: integer): The annual rate. In percent."
    assert present(CHAT, [SCHEMA], PromptStyle.FULL) == (CHAT, [SCHEMA])
    messages, tools = present(CHAT, [SCHEMA], PromptStyle.COMPACT)
    assert tools is None and messages[1:] == CHAT[1:]
    shown = messages[0]["content"]
    assert shown.startswith("Be exact.\n\n") and shown.endswith(signature(SCHEMA))
    assert present(CHAT, [SCHEMA], PromptStyle.MINIMAL) == (CHAT[1:], None)
    # A parsed call is not shown twice.
    said = {"role": "assistant", "content": 'First.\n<tool_call>{"name": "x"}</tool_call>', "tool_calls": [{}]}
    assert present([said], [], PromptStyle.FULL)[0][0]["content"] == "First."
    with pytest.raises(OptionError, match="full, compact, minimal"):
        PromptStyle.parse("short")


def test_the_text_of_a_turn_is_unchanged(tokenizer: Any, chat: ChatFormat) -> None:
    text = '<tool_call>{"name":"a","arguments":{"b":1.50}}</tool_call>'
    assert chat.text([*tokenizer(text)["input_ids"], chat.end]) == text


def test_a_template_that_rewrites_earlier_turns_is_refused(tokenizer: Any) -> None:
    changed = copy.deepcopy(tokenizer)
    changed.chat_template = "{% for m in messages %}<|im_start|>{{ m.role }}{{ loop.last }}<|im_end|>{% endfor %}"
    with pytest.raises(OptionError, match="prefix-preserving"):
        ChatFormat(changed, PromptStyle.MINIMAL).feedback_ids([{"role": "tool", "content": "x"}])
    changed.chat_template = tokenizer.chat_template + "{%- if add_generation_prompt %}<think>{%- endif %}"
    with pytest.raises(OptionError, match="otherwise than it prompts"):
        ChatFormat(changed, PromptStyle.MINIMAL).turn_ids({"role": "assistant", "content": "Yes."})


def test_a_checkpoint_that_cannot_be_loaded_is_told_with_what_to_remove(
    model: Any, tokenizer: Any, tmp_path: Path
) -> None:
    save_model(model, tokenizer, tmp_path / "checkpoint")
    (tmp_path / "checkpoint" / "model.safetensors").write_bytes(b"{}")
    with pytest.raises(OptionError, match=r"checkpoint cannot be loaded \(.*; remove that folder and run the same"):
        load_model(tmp_path / "checkpoint", load("demo", [])[0])
