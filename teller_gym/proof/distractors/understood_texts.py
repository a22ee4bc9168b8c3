"""Texts that a tool understands, found in its descriptions and in its refusals as a careful reader finds them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from teller_gym.agents.schemas import check, choices, has_type, is_day
from teller_gym.base.errors import ToolError
from teller_gym.envs.spaces.sampling import sample_value
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Parameter, Tool

Texts = dict[str, list[Any]]
"""By argument: texts (lists of one text for an argument that is a list) that the tool did not refuse at once."""

_ROUNDS = 24
_KEPT = 3
_WORDS_TRIED = 40
_PIECE = re.compile(r"[,;()]|: | or | and |[.](?:\s|$)")
_WORD = re.compile(r"[^\s,;'\"]+")


def understood(tool: Tool, new_bank: Callable[[], Bank]) -> Texts:
    """Return a few texts for each text argument of a tool.

    Calls with drawn arguments are made; where one is refused for a text, the words of the refusal are tried instead.
    """
    wordy = {parameter.name: parameter for parameter in tool.parameters if _is_text(parameter)}
    found: Texts = {name: [] for name in wordy}
    for name, parameter in wordy.items():
        _keep(found[name], _fitting(parameter, parameter.schema.get("description", "")))
    rng = np.random.Generator(np.random.PCG64(1))
    for turn in range(_ROUNDS if wordy else 0):
        arguments = {parameter.name: sample_value(parameter.schema, rng) for parameter in tool.parameters}
        arguments |= {name: texts[turn % len(texts)] for name, texts in found.items() if texts}
        for _ in wordy:
            refusal = _refusal(tool, new_bank(), arguments)
            if refusal is None or refusal.field not in wordy:
                break
            better = _heed(tool, new_bank, arguments, wordy[refusal.field], refusal.message)
            if better is None:
                break
            arguments[refusal.field] = better
            _keep(found[refusal.field], iter([better]), first=True)
    return found


def _heed(
    tool: Tool, new_bank: Callable[[], Bank], arguments: Mapping[str, Any], parameter: Parameter, message: str
) -> Any:
    """Return a text of a refusal with which the same argument is not refused again; None if there is none."""
    for count, text in enumerate(_fitting(parameter, message)):
        if count == _WORDS_TRIED:
            break
        refusal = _refusal(tool, new_bank(), {**arguments, parameter.name: text})
        if refusal is None or refusal.field != parameter.name:
            return text
    return None


def _refusal(tool: Tool, bank: Bank, arguments: Mapping[str, Any]) -> ToolError | None:
    try:
        tool.call(bank, tool.decode(msgspec.json.encode(arguments)))
    except ToolError as error:
        return error
    except msgspec.MsgspecError:
        return None
    return None


def _keep(texts: list[Any], more: Iterator[Any], *, first: bool = False) -> None:
    for text in more:
        if text not in texts:
            texts.insert(0 if first else len(texts), text)
            del texts[_KEPT:]
            if len(texts) == _KEPT:
                return


def _fitting(parameter: Parameter, message: str) -> Iterator[Any]:
    """Yield the pieces and words of a message that fit an argument; as lists of one where it wants a list."""
    fits, listed = check(parameter.schema), has_type(parameter.schema, "array")
    for text in [*(piece.strip().strip("'\"") for piece in _PIECE.split(message)), *_words(message)]:
        value = [text] if listed else text
        if text and fits(value):
            yield value


def _words(message: str) -> list[str]:
    return [
        word.strip(".:()") if word.count("(") != word.count(")") else word.rstrip(".:")
        for word in _WORD.findall(message)
    ]


def _is_text(parameter: Parameter) -> bool:
    schema = parameter.schema
    lists = [part for part in (schema, *schema.get("anyOf", ())) if part.get("type") == "array"]
    inner = lists[0].get("items", {}) if lists else schema
    return has_type(inner, "string") and not choices(inner) and not is_day(inner)
