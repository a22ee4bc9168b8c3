"""A model is shown the right part of a task, and its own tokens are never rendered again."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from teller_gym.agents.chat import ChatFormat, PromptStyle, present, signature
from teller_gym.base.errors import OptionError
from teller_gym.training.demonstrations.expert import Trajectory

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


def test_signature_is_one_line() -> None:
    assert signature(SCHEMA) == "rate(grade: A|B, months?: integer): The annual rate. In percent."


def test_full_shows_everything() -> None:
    assert present(CHAT, [SCHEMA], PromptStyle.FULL) == (CHAT, [SCHEMA])


def test_compact_moves_tools_into_the_system_message() -> None:
    messages, tools = present(CHAT, [SCHEMA], PromptStyle.COMPACT)
    assert tools is None
    assert messages[0]["content"].startswith("Be exact.\n\n")
    assert messages[0]["content"].endswith(signature(SCHEMA))
    assert messages[1:] == CHAT[1:]


def test_minimal_shows_the_request_alone() -> None:
    assert present(CHAT, [SCHEMA], PromptStyle.MINIMAL) == (CHAT[1:], None)


def test_a_parsed_call_is_not_shown_twice() -> None:
    said = {"role": "assistant", "content": 'First.\n<tool_call>{"name": "x"}</tool_call>', "tool_calls": [{}]}
    shown, _ = present([said], [], PromptStyle.FULL)
    assert shown[0]["content"] == "First."


def test_unknown_style_names_those_that_exist() -> None:
    with pytest.raises(OptionError, match="full, compact, minimal"):
        PromptStyle.parse("short")


def test_prompt_and_feedback_make_up_the_whole_chat(tokenizer: Any, trajectories: list[Trajectory]) -> None:
    """Tokens carried over turn by turn are those of the whole conversation rendered at once."""
    chat = ChatFormat(tokenizer, PromptStyle.MINIMAL)
    messages = trajectories[0].messages
    ids = chat.prompt_ids(messages[:2], [])
    for at in range(2, len(messages) - 2, 2):
        before, after = chat.prompt_ids(messages[:at], []), chat.prompt_ids(messages[: at + 1], [])
        end = len(after) - after[::-1].index(chat.end)
        assert after[: len(before)] == before
        ids += after[len(before) : end] + chat.feedback_ids([messages[at + 1]])
        assert ids == chat.prompt_ids(messages[: at + 2], [])


def test_text_of_a_turn_is_what_the_environment_reads(tokenizer: Any) -> None:
    chat = ChatFormat(tokenizer, PromptStyle.MINIMAL)
    text = '<tool_call>{"name":"a","arguments":{"b":1.50}}</tool_call>'
    assert chat.text([*tokenizer(text)["input_ids"], chat.end]) == text


def test_a_template_that_rewrites_earlier_turns_is_refused(tokenizer: Any) -> None:

    changed = copy.deepcopy(tokenizer)
    changed.chat_template = "{% for m in messages %}<|im_start|>{{ m.role }}{{ loop.last }}<|im_end|>{% endfor %}"
    with pytest.raises(OptionError, match="prefix-preserving"):
        ChatFormat(changed, PromptStyle.MINIMAL).feedback_ids([{"role": "tool", "content": "x"}])
