"""Renders an episode's chat as model tokens, with the parts of the prompt that a style includes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from importlib import resources
from typing import Any

from teller_gym.base.errors import OptionError

Message = dict[str, Any]
Schema = dict[str, Any]

THINKING_KEY = "teller_gym_thinking"
"""Key in a tokenizer's configuration that records that training enabled thinking in the chat template."""


def thinks(tokenizer: Any) -> bool:
    """Return True if the tokenizer belongs to a checkpoint that was trained to think before it answers."""
    return bool(getattr(tokenizer, "init_kwargs", {}).get(THINKING_KEY, False))


class PromptStyle(StrEnum):
    """Part of the task's instructions that a model sees."""

    FULL = "full"
    """The standard operating procedure and the JSON schema of every tool."""
    COMPACT = "compact"
    """The standard operating procedure and one signature line per tool, with about a tenth of the schemas' tokens."""
    MINIMAL = "minimal"
    """Only the request, for models trained from scratch on one fixed procedure and tool set."""

    @classmethod
    def parse(cls, name: str) -> PromptStyle:
        """Return the style with the given name, or raise ``OptionError`` if there is none."""
        try:
            return cls(name)
        except ValueError:
            raise OptionError(f"prompt must be one of {', '.join(cls)}; got {name!r}") from None


def signature(schema: Schema) -> str:
    """Convert an OpenAI function schema to a line such as ``rate(grade: A|B, months?: integer): The annual rate.``"""
    function = schema["function"]
    parameters = function.get("parameters", {})
    required = set(parameters.get("required", ()))
    shown = []
    for name, spec in parameters.get("properties", {}).items():
        values = spec.get("enum")
        kind = "|".join(str(value) for value in values) if values else spec.get("type", "any")
        kind = "|".join(kind) if isinstance(kind, list) else kind
        shown.append(f"{name}{'' if name in required else '?'}: {kind}")
    description = " ".join(function.get("description", "").split())
    return f"{function['name']}({', '.join(shown)}): {description}".rstrip(": ")


def present(
    messages: Sequence[Message], tools: Sequence[Schema], style: PromptStyle
) -> tuple[list[Message], list[Schema] | None]:
    """Return the messages and tools that a chat template should render in the given style.

    The tools are None if the style does not pass them to the template. In an assistant message with a parsed call, the
    content ends before the call, so that a template that renders ``tool_calls`` does not show the call twice.
    """
    shown = [_once(message) for message in messages]
    if style is PromptStyle.FULL:
        return shown, list(tools)
    if style is PromptStyle.MINIMAL:
        return [message for message in shown if message["role"] != "system"], None
    preface = resources.files("teller_gym.agents").joinpath("compact_tools.txt").read_text("utf-8").strip()
    block = "\n".join([preface, *(signature(tool) for tool in tools)])
    if shown and shown[0]["role"] == "system":
        first = shown[0] | {"content": f"{shown[0]['content']}\n\n{block}"}
        return [first, *shown[1:]], None
    return [{"role": "system", "content": block}, *shown], None


def _once(message: Message) -> Message:
    """Remove a call's text from the content of a message that also has it as ``tool_calls``."""
    if not message.get("tool_calls"):
        return message
    words = str(message.get("content") or "")
    return message | {"content": words.partition("<tool_call>")[0].rstrip()}


def tool_answer(content: str) -> Message:
    """Return the message with a tool's result, for a model whose earlier tokens are stored.

    The tool's name and the call's ID are placeholders, so that the tokens depend only on the content.
    """
    return {"role": "tool", "name": "tool", "tool_call_id": "call", "content": content}


class ChatFormat:
    """Tokenizer with its chat template, which converts chats to token ids and turns back to text.

    Args:
        tokenizer: a Hugging Face tokenizer with a chat template.
        style: parts of the prompt to show.
        thinking: whether the template, if it supports this, lets the model think before it answers; None uses the
            setting of the checkpoint's training, which is False by default.
    """

    def __init__(self, tokenizer: Any, style: PromptStyle, thinking: bool | None = None) -> None:
        if not tokenizer.chat_template:
            raise OptionError("the tokenizer has no chat template: use a chat model, or save a template with it")
        self.tokenizer = tokenizer
        self.style = style
        self.thinking = thinks(tokenizer) if thinking is None else thinking
        self.end = int(tokenizer.eos_token_id)

    def prompt_ids(self, messages: Sequence[Message], tools: Sequence[Schema]) -> list[int]:
        """Return the tokens of the chat so far, up to the start of the assistant's next turn."""
        shown, schemas = present(messages, tools, self.style)
        return self._render(shown, schemas, add_generation_prompt=True)

    def feedback_ids(self, replies: Sequence[Message]) -> list[int]:
        """Return the tokens between the assistant's end-of-turn token and the start of its next turn.

        They are rendered in a short placeholder conversation, so that tokens sampled by the model are never rendered
        again.
        """
        call: dict[str, Any] = {"type": "function", "function": {"name": "x", "arguments": {}}}
        before: list[Message] = [
            {"role": "user", "content": "x"},
            {"role": "assistant", "content": "", "tool_calls": [call]},
        ]
        head = self._render(before, None, add_generation_prompt=False)
        head = head[: len(head) - head[::-1].index(self.end)] if self.end in head else head
        whole = self._render([*before, *replies], None, add_generation_prompt=True)
        if whole[: len(head)] != head:
            raise OptionError(
                "the chat template is not prefix-preserving: a tool message changes how the turn before it is "
                "rendered; use a training template, which keeps earlier turns as they were"
            )
        return whole[len(head) :]

    def turn_ids(self, message: Message) -> list[int]:
        """Return the tokens of an assistant turn as rendered by the template, up to its end-of-turn token.

        Raises:
            OptionError: the template renders the start of a turn differently in a prompt and in a past turn.
        """
        asked: list[Message] = [{"role": "user", "content": "x"}]
        head = self._render(asked, None, add_generation_prompt=True)
        whole = self._render([*asked, _once(message)], None, add_generation_prompt=False)
        if whole[: len(head)] != head or self.end not in whole[len(head) :]:
            raise OptionError(
                "the chat template renders a turn of the assistant otherwise than it prompts for one, or does not end "
                "it; use a training template, which does both alike"
            )
        return whole[len(head) : whole.index(self.end, len(head)) + 1]

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of a sampled turn, without the end-of-turn token."""
        kept = [token for token in ids if token not in (self.end, self.tokenizer.pad_token_id)]
        return str(self.tokenizer.decode(kept, skip_special_tokens=False, clean_up_tokenization_spaces=False))

    def _render(self, messages: list[Message], tools: list[Schema] | None, add_generation_prompt: bool) -> list[int]:
        ids = self.tokenizer.apply_chat_template(
            messages,
            tools=tools,
            add_generation_prompt=add_generation_prompt,
            tokenize=True,
            return_dict=False,
            enable_thinking=self.thinking,
        )
        return [int(token) for token in ids]
