"""The only reader of model output: separates thoughts, words, calls, and unreadable attempts at a call.

Envs, endpoints, checkpoints and training all use it, so that the same text is the same action everywhere. It reads any
text in linear time and never raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from teller_gym.tools.call_signs import (
    OBJECT_MARK,
    IsTool,
    broken_sign,
    forms,
    is_summary,
    json_sign,
    markup_of,
    words_sign,
)
from teller_gym.tools.overlong import length_refused
from teller_gym.tools.thoughts import OBJECT, object_at, split_thoughts

FORMS: dict[str, str] = {name: form.report for name, form in forms().items()}
"""Descriptions, for reports, of the forms of text that looks like a call but is not one, by name."""

_NOTES = ("sop_analysis", "step_progress")
_FINAL = "final_response"
_MARK = re.compile(rf"<(?P<tag>{'|'.join(_NOTES)}|{_FINAL})>|{OBJECT}")
_MOST_BROKEN = 1_000
"""Maximum number of broken objects that are checked; for each, the text is scanned backwards."""
_SHOWN_REASON = 80
_SERVER = re.compile(r"\[the server could not read this call: [^\[\]\n]{0,80}\]")
_WRAPPED = re.compile(r"\s*<tool_call>\s*(?P<call>\{.*\})\s*</tool_call>\s*\Z", re.DOTALL)


class _Head(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    name: str
    arguments: msgspec.Raw


decode_head: Callable[[str | bytes], Any] = msgspec.json.Decoder(_Head).decode
"""Decodes a call's name and leaves its arguments undecoded; raises msgspec's errors."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of a model's turn.

    Attributes:
        thinking: the thoughts, without notes in tags.
        words: text before the call, or all text if there is no call.
        calls: JSON text of each call, an object with ``name`` and ``arguments``; one, unless ``form`` is several.
        final: the final response; None if there is a call or an attempt at one.
        form: form of an unreadable attempt at a call, one of `FORMS`; None if there is none.
        said: the text without the thoughts; reading it gives the same result as reading the whole text.
    """

    thinking: str
    words: str
    calls: tuple[str, ...] = ()
    final: str | None = None
    form: str | None = None
    said: str = ""

    @property
    def call(self) -> str | None:
        """JSON text of the call; None if there is no call to run."""
        return self.calls[0] if self.form is None and self.calls else None

    @property
    def action(self) -> str:
        """The action for an env: the call, the final response, or all text, which the env reads the same way."""
        if self.call is not None:
            return self.call
        return self.said if self.final is None else self.final


def read_text(text: str, is_tool: IsTool | None = None) -> Reading:
    """Read a turn of a model.

    If there is exactly one JSON call outside the thoughts, it is the call. Otherwise, an attempt at a call is
    classified by its form: several calls, a model's markup that names the tool, broken or foreign JSON, a call in
    words. Everything else is the final response.

    Args:
        text: any text that a model wrote.
        is_tool: returns True for the name of an available tool; without it, calls in words (``name(argument=…)``) are
            not recognised, since any text may mention a function.
    """
    if length_refused(text) is not None:
        return Reading("", text, form="too_long", said=text)
    if _is_call(text):
        return Reading("", "", (text.strip(),), said=text)
    if (wrapped := _WRAPPED.match(text)) and _is_call(wrapped["call"]):
        return Reading("", "", (wrapped["call"],), said=text)
    if _SERVER.match(text):
        return Reading("", text, form="server", said=text)
    thinking, said, is_open = split_thoughts(text)
    if is_open:
        return Reading(thinking, said, form="in_thoughts", said=said)
    return _read(thinking, said, is_tool or _no_tool)


def unreadable_call(reason: str, text: str = "") -> str:
    """Return an action for a turn whose call the server could not parse; the env reads it as malformed.

    Args:
        reason: the server's finish reason.
        text: the rest of the turn.
    """
    shown = re.sub(r"[\[\]\s]+", " ", reason)[:_SHOWN_REASON]
    return f"[the server could not read this call: {shown}]" + (f"\n{text}" if text else "")


def found_in_words(form: str) -> str:
    """Return the description of a form for an error that the agent reads."""
    return forms()[form].found


def malformed_form(action: str) -> str:
    """Classify a recorded action that an env found malformed: return its form, one of `FORMS`; never raises."""
    try:
        reading = read_text(action)
        form = reading.form or read_text(action, _like_a_tool).form or read_text(action, _any_tool).form
        if form is not None:
            return form
        if reading.call is not None:
            return _slip(reading.call)
        return "arguments_only" if whole_object(reading.final or "") else "other"
    except Exception:  # a count must not break a report
        return "other"


def whole_object(text: str) -> dict[str, Any] | None:
    """Parse a text that is exactly one JSON object; return None for any other text."""
    value = _whole(text)
    return value if isinstance(value, dict) else None


def _is_call(text: str) -> bool:
    """Return True if a text consists of a JSON call only."""
    if text[:1] != "{" and text.lstrip()[:1] != "{":
        return False
    try:
        decode_head(text.strip())
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return False
    return True


def _read(thinking: str, said: str, is_tool: IsTool) -> Reading:
    scan = _Scan(said)
    bare = "".join(scan.kept)
    strong = markup_of(bare, names=True)
    if strong is None and len(scan.calls) == 1:
        return Reading(thinking, scan.words, tuple(scan.calls), said=said)
    if strong is None and scan.calls:
        strong = "several"
    strong = strong or markup_of(bare, names=False) or json_sign(scan.others, is_tool)
    rest = "".join(scan.plain).strip()
    if strong is None and not _is_list(rest):
        strong = broken_sign(bare)
    words = said.strip()
    if strong is not None:
        return Reading(thinking, words, tuple(scan.calls), form=strong, said=said)
    if scan.final is not None:
        inner = _read("", scan.final, is_tool)
        return Reading(thinking, inner.words, inner.calls, inner.final, inner.form, said)
    weak = words_sign(bare, is_tool)
    whole = _whole(rest)
    if weak is None and isinstance(whole, dict | list) and not is_summary(whole):
        weak = "arguments_only"
    if weak is not None:
        return Reading(thinking, words, form=weak, said=said)
    return Reading(thinking, words, final=rest or ("" if thinking else words), said=said)


class _Scan:
    """One pass over a text without thoughts. An unclosed note loses only its tag.

    Attributes:
        calls: JSON text of the objects that are calls.
        others: the other objects.
        kept: text outside notes and the final response, with each object replaced by a mark.
        plain: the same text with the objects.
        words: text before the first call.
        final: text of the first final response.
    """

    def __init__(self, text: str) -> None:
        self.calls: list[str] = []
        self.others: list[dict[str, Any]] = []
        self.kept: list[str] = []
        self.plain: list[str] = []
        self.words = ""
        self.final: str | None = None
        self._unclosed: set[str] = set()
        at = broken = 0
        while broken < _MOST_BROKEN and (mark := _MARK.search(text, at)):
            self._keep(text[at : mark.start()])
            if mark["tag"]:
                at = self._note(text, mark["tag"], mark.end())
                continue
            value, at = object_at(text, mark.start())
            shown = text[mark.start() : at]
            if value is None:
                broken += 1
                self._keep(shown)
                continue
            if {"name", "arguments"} <= value.keys():
                if not self.calls:
                    self.words = without_opening("".join(self.plain))
                self.calls.append(shown)
            else:
                self.others.append(value)
            self.kept.append(OBJECT_MARK)
            self.plain.append(shown)
        self._keep(text[at:])

    def _keep(self, piece: str) -> None:
        self.kept.append(piece)
        self.plain.append(piece)

    def _note(self, text: str, kind: str, start: int) -> int:
        """Process the text in a tag; return the position at which to continue."""
        end = -1 if kind in self._unclosed else text.find(f"</{kind}>", start)
        after = end + len(f"</{kind}>")
        if end < 0:
            self._unclosed.add(kind)
            if kind != _FINAL:
                return start
            end = after = len(text)
        if kind == _FINAL and self.final is None:
            self.final = text[start:end].replace(f"<{_FINAL}>", "").strip()
        return after


_OPENING = re.compile(r"(<tool_call>|```[a-zA-Z_]*)\s*\Z")


def without_opening(words: str) -> str:
    """Return the words before a call without the tag or fence that opens it."""
    return _OPENING.sub("", words).strip()


def _slip(call: str) -> str:
    """Return the form of a call that the env refuses although it has a name and arguments."""
    try:
        decode_head(call)
    except msgspec.ValidationError:
        return "keys"
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return "broken_json"
    return "duplicate_keys"


def _whole(text: str) -> Any:
    try:
        return json.loads(text, parse_int=float)
    except (ValueError, RecursionError):
        return None


def _is_list(text: str) -> bool:
    return text.lstrip().startswith("[") and isinstance(_whole(text), list)


def _no_tool(_: str) -> bool:
    return False


def _like_a_tool(name: str) -> bool:
    return "_" in name


def _any_tool(_: str) -> bool:
    return True
