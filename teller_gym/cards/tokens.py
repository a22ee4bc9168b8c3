"""Counts the tokens of an episode's prompt and turns with any vocabulary."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym

from teller_gym.agents.chat import Message, PromptStyle, Schema, present
from teller_gym.agents.reference import make_agent
from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.envs.contract import execution_of
from teller_gym.procedure.task import Split

Count = Callable[[str], int]

PIECES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""Qwen's pattern for splitting a text before merging bytes; source: the ``tokenizer.json`` of Qwen2 and Qwen3."""


@dataclass(frozen=True)
class Spread:
    """Median, 95th percentile and maximum of a token count over episodes."""

    p50: int
    p95: int
    most: int


@dataclass(frozen=True)
class Budget:
    """Token counts with a given number of distractors."""

    distractors: int | str
    full: Spread
    """Tokens of the opening prompt with JSON schemas."""
    compact: Spread
    """Tokens of the opening prompt with one signature line for each tool."""
    episode: Spread
    """Tokens of the expert's calls and their results, without the prompt."""


def counter(vocabulary: Path | None) -> Count:
    """Return a function that counts the tokens of a text.

    Args:
        vocabulary: a ``.tiktoken`` file with Qwen's ranks, a ``tokenizer.json``, or the folder that contains one; if
            None, four characters count as a token.

    Raises:
        OptionError: the file is none of these.
        MissingExtraError: the library that reads it is not installed.
    """
    if vocabulary is None:
        return lambda text: -(-len(text) // 4)
    if vocabulary.suffix == ".tiktoken":
        try:
            import tiktoken  # type: ignore[import-not-found, unused-ignore]
            from tiktoken.load import load_tiktoken_bpe  # type: ignore[import-not-found, unused-ignore]
        except ImportError as error:
            raise OptionError("a .tiktoken file is read by tiktoken: pip install tiktoken") from error
        ranks = load_tiktoken_bpe(str(vocabulary))
        encoding = tiktoken.Encoding("vocabulary", pat_str=PIECES, mergeable_ranks=ranks, special_tokens={})
        return lambda text: len(encoding.encode_ordinary(text))
    file = vocabulary / "tokenizer.json" if vocabulary.is_dir() else vocabulary
    if not file.is_file():
        raise OptionError(f"vocabulary: expected a .tiktoken file, a tokenizer.json or its folder, got {vocabulary}")
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError("counting with a tokenizer.json", "train") from error
    tokenizer = Tokenizer.from_file(str(file))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def budgets(env_id: str, task_ids: Sequence[str], count: Count, distractors: Sequence[int | str]) -> list[Budget]:
    """Play the expert on all tasks with each number of distractors, and count tokens."""
    return [_budget(env_id, task_ids, count, number) for number in distractors]


def _budget(env_id: str, task_ids: Sequence[str], count: Count, distractors: int | str) -> Budget:
    env = gym.make(env_id, split=Split.HELDOUT.value, distractors=distractors)
    core, expert = execution_of(env), make_agent("expert", env)
    full, compact, played = [], [], []
    for task_id in task_ids:
        obs, info = env.reset(options={"task_id": task_id})
        opening, tools = core.messages(), core.tool_schemas()
        full.append(_tokens(opening, tools, PromptStyle.FULL, count))
        compact.append(_tokens(opening, tools, PromptStyle.COMPACT, count))
        expert.reset()
        over = False
        while not over:
            obs, _, terminated, truncated, info = env.step(expert.act(obs, info))
            over = terminated or truncated
        played.append(sum(count(str(message["content"])) for message in core.messages()[len(opening) :]))
    return Budget(distractors, _spread(full), _spread(compact), _spread(played))


def _tokens(messages: Sequence[Message], tools: Sequence[Schema], style: PromptStyle, count: Count) -> int:
    """Count a prompt without a chat template's own tokens: the contents, then a line of JSON for each schema."""
    shown, schemas = present(messages, tools, style)
    lines: list[Any] = [str(message["content"]) for message in shown]
    lines += [json.dumps(schema, ensure_ascii=False) for schema in schemas or ()]
    return count("\n".join(lines))


def _spread(numbers: Sequence[int]) -> Spread:
    ordered = sorted(numbers)
    return Spread(ordered[(len(ordered) - 1) // 2], ordered[-(-95 * len(ordered) // 100) - 1], ordered[-1])
