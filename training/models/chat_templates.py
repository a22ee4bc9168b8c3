"""Checks that a chat template is suitable for training.

Later turns must not change earlier ones, and the assistant's tokens must be marked.
"""

from __future__ import annotations

from typing import Any

from teller_gym.agents.chat import thinks
from teller_gym.base.errors import OptionError

_TOOL = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Look at something.",
        "parameters": {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]},
    },
}


def _call(at: str) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [{"type": "function", "function": {"name": "look", "arguments": {"at": at}}}],
    }


def _answer(seen: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": "call", "name": "look", "content": f'{{"seen": "{seen}"}}'}


_TURNS = [_call("it"), _answer("this"), _call("that"), _answer("more"), {"role": "assistant", "content": "It is done."}]
_CHATS = (
    [{"role": "user", "content": "Do it."}, *_TURNS],
    [{"role": "system", "content": "Be exact."}, {"role": "user", "content": "Do it."}, *_TURNS],
)


def expect_trainable(tokenizer: Any, name: str) -> None:
    """Check a chat template by rendering short chats with tool calls, turn by turn and as a whole.

    Raises:
        OptionError: a later turn changes the tokens of earlier ones, the prompt before a turn differs from the same
            text in the whole chat, the assistant's tokens are not marked, or the template fails.
    """
    for chat in _CHATS:
        for tools in (None, [_TOOL]):
            try:
                fault = _fault(tokenizer, chat, tools)
            except Exception as error:  # templates raise what they like
                fault = f"it fails on a chat with tool calls ({' '.join(str(error).split())[:200]})"
            if fault:
                raise OptionError(
                    f"model {name}: its chat template cannot be trained with: {fault}; take a model of a family whose "
                    "template TRL replaces, such as Qwen3, Qwen2.5 or Llama 3, or change chat_template.jinja in a "
                    "local folder: every turn rendered independently of later ones, and the assistant's inside "
                    "{% generation %} … {% endgeneration %}"
                )


def _fault(tokenizer: Any, chat: list[dict[str, Any]], tools: list[dict[str, Any]] | None) -> str | None:
    def ids(turns: int, opens: bool = False) -> list[int]:
        found = tokenizer.apply_chat_template(
            chat[:turns], tools=tools, add_generation_prompt=opens, tokenize=True, return_dict=False,
            enable_thinking=thinks(tokenizer),
        )  # fmt: skip
        return list(found)

    whole = ids(len(chat))
    for turns in range(1, len(chat)):
        if chat[turns - 1]["role"] == "assistant" and not _begins(whole, ids(turns)):
            return "what follows a turn of the assistant changes the tokens up to it"
        if chat[turns]["role"] == "assistant" and not _begins(whole, ids(turns, opens=True)):
            return "the prompt before a turn of the assistant is another one in training than in an episode"
    rendered = tokenizer.apply_chat_template(
        chat, tools=tools, return_dict=True, return_assistant_tokens_mask=True, enable_thinking=thinks(tokenizer)
    )
    mask = list(rendered["assistant_masks"])
    learned = [token for token, marked in zip(rendered["input_ids"], mask, strict=True) if marked]
    wanted = sum(one["role"] == "assistant" for one in chat)
    runs = sum(now and not before for before, now in zip([0, *mask], mask, strict=False))
    if runs != wanted:
        return f"it marks {runs} turns of the assistant, and the chat has {wanted}"
    if tokenizer.eos_token_id not in learned:
        return "the token that ends a turn is not among the marked ones, so a model would not learn to end it"
    return None


def _begins(whole: list[int], part: list[int]) -> bool:
    return whole[: len(part)] == part
