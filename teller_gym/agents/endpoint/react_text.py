"""Reading a turn of the ReAct protocol: notes in tags, then one call or the final response."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from teller_gym.actions import MAX_ACTION_CHARACTERS
from teller_gym.agents.endpoint.thinking import split_thinking

_TAG = re.compile(r"<(think|sop_analysis|step_progress)>")
_FINAL = re.compile(r"<final_response>(.*?)(?:</final_response>|\Z)", re.DOTALL)
_OBJECT = re.compile(r"\{\s*[\"}]")
_CALL_LIKE = re.compile(r"\{\s*[\"']name[\"']\s*:")

_MAX_BROKEN = 1_000
"""So many things that begin like an object and are none are looked at; each costs a look back through the text."""

# Numbers are read as floats because Python refuses whole numbers of thousands of digits; their values do not matter.
_decode_at = json.JSONDecoder(strict=False, parse_int=float).raw_decode


class TurnText(NamedTuple):
    """A turn of the model, taken apart."""

    action: str
    """What the env gets."""
    thinking: str


def read_turn(text: str) -> TurnText:
    """Take a turn apart, in linear time and whatever the text is.

    The notes (`<think>`, `<sop_analysis>`, `<step_progress>`) are left out. Of the rest:

    - one call, wherever it stands, is the action; a final response beside it comes too early and is not read;
    - several calls become an action that the env refuses as several;
    - else the text of `<final_response>`, where there is one;
    - else something like a call that is no JSON, which the env refuses as malformed;
    - else what is left of the text, or the whole text where only notes were written.
    """
    if len(text) > MAX_ACTION_CHARACTERS:
        return TurnText(text, "")
    thinking, rest = split_thinking(text)
    if not rest.startswith("{") or not _is_json(rest):
        rest, more = _without_notes(rest)
        thinking = "\n".join(part for part in (thinking, *more) if part)
    final = _FINAL.search(rest)
    outside = rest[: final.start()] + rest[final.end() :] if final else rest
    calls = _calls(outside)
    if len(calls) == 1:
        return TurnText(calls[0], thinking)
    if calls:
        return TurnText("\n".join(f"<tool_call>{call}</tool_call>" for call in calls), thinking)
    if final:
        return TurnText(final[1].strip(), thinking)
    if broken := _CALL_LIKE.search(rest):
        return TurnText(rest[broken.start() :], thinking)
    return TurnText(rest or ("" if thinking else text.strip()), thinking)


def _without_notes(text: str) -> tuple[str, list[str]]:
    """Return the text without what stands in tags of notes, and the thinking among it.

    Thinking that is not closed goes to the end. Other notes that are not closed lose their tag alone: the call after
    them counts.
    """
    kept, thoughts, at = [], [], 0
    unclosed: set[str] = set()
    while match := _TAG.search(text, at):
        kept.append(text[at : match.start()])
        kind, at = match[1], match.end()
        end = -1 if kind in unclosed else text.find(f"</{kind}>", at)
        if end < 0:
            unclosed.add(kind)
            if kind == "think":
                thoughts.append(text[at:].strip())
                at = len(text)
            continue
        if kind == "think":
            thoughts.append(text[at:end].strip())
        at = end + len(kind) + 3
    kept.append(text[at:])
    return "".join(kept).strip(), thoughts


def _calls(text: str) -> list[str]:
    """Return the calls that stand in a text as JSON objects, not within another object."""
    calls: list[str] = []
    at = broken = 0
    while broken < _MAX_BROKEN and (match := _OBJECT.search(text, at)):
        value, at = _decode(text, match.start())
        broken += value is None
        if value is not None and {"name", "arguments"} <= value.keys():
            calls.append(text[match.start() : at])
    return calls


def _decode(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """Return the JSON object that starts there, and where it ends or breaks, so that hardly any text is read twice."""
    try:
        value, end = _decode_at(text, start)
    except json.JSONDecodeError as error:
        return None, max(error.pos, start + 1)
    except RecursionError:
        return None, len(text)
    return value, end


def _is_json(text: str) -> bool:
    value, end = _decode(text, 0)
    return value is not None and not text[end:].strip()
