"""Reading a turn of the ReAct protocol: notes in tags, then one call or the final response."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS

_MARK = re.compile(r"<(think|sop_analysis|step_progress|final_response)>|</think>|\{\s*[\"}]")
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
    scan = _Scan(text)
    thinking = "\n".join(part for part in scan.thoughts if part)
    rest = "".join(scan.kept).strip()
    if len(scan.calls) == 1:
        return TurnText(scan.calls[0], thinking)
    if scan.calls:
        return TurnText("\n".join(f"<tool_call>{call}</tool_call>" for call in scan.calls), thinking)
    if scan.final is not None:
        return TurnText(scan.final, thinking)
    if broken := _CALL_LIKE.search(rest):
        return TurnText(rest[broken.start() :], thinking)
    return TurnText(rest or ("" if thinking else text.strip()), thinking)


class _Scan:
    """One pass from the beginning to the end: what stands in tags, the calls, and the rest.

    Tags within a JSON object are part of its strings. Of what is not closed, thinking and the final response go to the
    end; other notes lose their tag alone, so that the call after them counts.
    """

    def __init__(self, text: str) -> None:
        self.kept: list[str] = []
        self.calls: list[str] = []
        self.thoughts: list[str] = []
        self.final: str | None = None
        self._unclosed: set[str] = set()
        at = broken = 0
        while broken < _MAX_BROKEN and (mark := _MARK.search(text, at)):
            self.kept.append(text[at : mark.start()])
            if mark[0][0] == "{":
                value, at = _decode(text, mark.start())
                broken += value is None
                self.kept.append(text[mark.start() : at])
                if value is not None and {"name", "arguments"} <= value.keys():
                    self.calls.append(self.kept[-1])
            elif mark[1]:
                at = self._note(text, mark[1], mark.end())
            else:  # The chat template opened the thinking: all that came before belongs to it.
                self.thoughts.append("".join(self.kept).strip())
                self.kept, self.calls, self.final, at = [], [], None, mark.end()
        self.kept.append(text[at:])

    def _note(self, text: str, kind: str, start: int) -> int:
        """Take what stands in a tag; return where to go on."""
        end = -1 if kind in self._unclosed else text.find(f"</{kind}>", start)
        after = end + len(f"</{kind}>")
        if end < 0:
            self._unclosed.add(kind)
            if kind not in ("think", "final_response"):
                return start
            end = after = len(text)
        if kind == "think":
            self.thoughts.append(text[start:end].strip())
        elif kind == "final_response" and self.final is None:
            self.final = text[start:end].strip()
        return after


def _decode(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """Return the JSON object that starts there, and where it ends or breaks, so that hardly any text is read twice."""
    try:
        return _decode_at(text, start)
    except json.JSONDecodeError as error:
        return None, max(error.pos, start + 1)
    except RecursionError:
        return None, len(text)
