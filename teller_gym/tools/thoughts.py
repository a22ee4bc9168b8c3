"""Separates a model's thoughts from its other text, in any vendor's tags."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import yaml

from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS

_MOST_BROKEN = 1_000
"""Maximum number of broken objects that are checked; for each, the text is scanned backwards."""
_MOST_REREAD = 8
"""Average number of times that a character may be reread because a tag was found inside a broken object."""

_ROUNDS = 5
"""Maximum number of passes over a text; removing thoughts from an unusual text may reveal others."""

_MARKUP = 80
"""Characters at the end of a text that are searched for the markup that closes a call."""
_ENDS_WITH_CALL = re.compile(
    r"(?:</[\w:]{0,20}(?:tool_calls?|function_calls?|function|invoke)(?::[\w-]{1,40})?>|</?[|｜]DSML[|｜]\w{1,20}>"
    r"|<[|｜]tool[\w▁]{0,30}[_▁]end[|｜]>|<\|call\|>|</TOOLCALL>)\s{0,20}(?:<[|｜][\w▁]{1,20}[|｜]>)?\s{0,20}\Z"
)

OBJECT = r"\{\s*[\"}]"
"""Regular expression for the beginning of a JSON object."""
_LIKE_A_CALL = re.compile(r"\{\s*\"(?:name|arguments)\"\s*:")
_BEGINS = re.compile(r"\{\s*\"")

# Numbers are read as floats because Python refuses whole numbers of thousands of digits; their values do not matter.
_decode_at = json.JSONDecoder(strict=False, parse_int=float).raw_decode


class Thoughts(NamedTuple):
    """Parts of a model's turn."""

    thinking: str
    """The thoughts, each block on its own lines."""
    said: str
    """Everything else; the text itself if it contains no thoughts."""
    open: bool = False
    """True if the text ends with call markup inside unclosed thoughts, which then remain in `said`."""


def split_thoughts(text: str) -> Thoughts:
    """Separate thoughts from words, in linear time for any text.

    Tags inside a JSON object belong to its strings. A block of thoughts ends at its own closing tag, or else at another
    closing tag of the same kind, or else with the text, because the model was cut off while thinking. A closing tag
    without an opening one ends thoughts that the chat template opened in the prompt: they include everything before the
    tag, unless it merely follows a call.
    """
    if len(text) > MAX_ACTION_CHARACTERS or not _tags().any.search(text) or _is_list(text):
        return Thoughts("", text)
    thoughts: list[str] = []
    said, is_open = text, False
    for _ in range(_ROUNDS):
        scan = _Scan(said)
        is_open = scan.open
        if not scan.found:
            break
        thoughts += scan.thoughts
        said = "".join(scan.kept).strip()
    return Thoughts("\n".join(part for part in thoughts if part), said, is_open)


def object_at(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """Return the JSON object that begins at ``start`` (None if it is broken) and the position of its end or error."""
    try:
        return _decode_at(text, start)
    except json.JSONDecodeError as error:
        return None, max(error.pos, start + 1)
    except RecursionError:
        return None, len(text)


def _is_list(text: str) -> bool:
    """Return True if the whole text is a JSON list."""
    if not text.lstrip().startswith("["):
        return False
    try:
        json.loads(text, strict=False, parse_int=float)
    except (ValueError, RecursionError):
        return False
    return True


class _Tags(NamedTuple):
    """Patterns for the tags of all kinds; ``mark`` also matches the beginning of an object."""

    any: re.Pattern[str]
    mark: re.Pattern[str]
    opening: dict[str, re.Pattern[str]]
    closing: dict[str, re.Pattern[str]]


@cache
def _tags() -> _Tags:
    kinds = yaml.safe_load(resources.files("teller_gym.tools").joinpath("thought_tags.yaml").read_text("utf-8"))
    both = "|".join(
        [f"(?P<open_{kind}>{one['open']})" for kind, one in kinds.items()]
        + [f"(?P<close_{kind}>{one['close']})" for kind, one in kinds.items() if one["may_stay_unopened"]]
    )
    return _Tags(
        re.compile(both, re.IGNORECASE),
        re.compile(f"{both}|(?P<object>{OBJECT})", re.IGNORECASE),
        {kind: re.compile(one["open"], re.IGNORECASE) for kind, one in kinds.items()},
        {kind: re.compile(one["close"], re.IGNORECASE) for kind, one in kinds.items()},
    )


_NAMES = ("thinking", "think", "thought", "reasoning", "reflection", "analysis", "scratchpad")
"""Common names of tags, longer ones first."""


@cache
def _end_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"</(?:[a-z]{{1,20}}:)?{name}(?::[\w-]{{1,40}})?\s{{0,9}}>", re.IGNORECASE)


class _Scan:
    """One pass over a text.

    Attributes:
        kept: pieces of text outside thoughts.
        thoughts: blocks of thoughts.
        found: True if there was any tag of thoughts outside objects.
        open: as in `Thoughts`.
    """

    def __init__(self, text: str) -> None:
        self.kept: list[str] = []
        self.thoughts: list[str] = []
        self.found = False
        self.open = False
        self._text = text
        self._unclosed: set[str] = set()
        self._nested = 0
        """Number of nested blocks that were still open when the thoughts around them ended."""
        self._ended = False
        self._object_before = False
        self._last_object = -1
        self._reread = 0
        tags, at, broken = _tags(), 0, 0
        while broken < _MOST_BROKEN and (mark := tags.mark.search(text, at)):
            self.kept.append(text[at : mark.start()])
            kind = str(mark.lastgroup)
            if kind == "object":
                self._object_before = True
                whole, at = self._object(mark.start())
                broken += not whole
                self.kept.append(text[mark.start() : at])
            elif kind.startswith("open_"):
                at = self._block(kind.removeprefix("open_"), mark)
            else:
                at = mark.end()
                self._close(at)
        self.kept.append(text[at:])

    def _object(self, start: int) -> tuple[bool, int]:
        """Skip an object; return True if it is whole, and where to continue: in a broken one, at a tag inside it."""
        value, end = object_at(self._text, start)
        if value is not None:
            return True, end
        tag = _tags().any.search(self._text, start, end)
        if tag is None or self._reread > _MOST_REREAD * len(self._text):
            return False, end
        if _LIKE_A_CALL.match(self._text, start) and not _BEGINS.search(self._text, tag.end(), end + 2):
            return False, end  # a broken call with a tag in its strings
        self._reread += end - tag.start()
        return False, tag.start()

    def _block(self, kind: str, mark: re.Match[str]) -> int:
        """Process the thoughts that begin here, and return the position at which to continue."""
        start = mark.end()
        close = self._own_end(mark[0], start) or _tags().closing[kind].search(self._text, start)
        if close is None and _ENDS_WITH_CALL.search(self._text, max(start, len(self._text) - _MARKUP)):
            self.open = True
            self.kept.append(self._text[mark.start() :])
            return len(self._text)
        self.found = True
        end, after = close.span() if close else (len(self._text), len(self._text))
        inner = self._text[start:end]
        self.thoughts.append(inner.strip())
        self._nested += sum(1 for _ in _tags().opening[kind].finditer(inner))
        self._ended = True
        self.kept.append("\n")
        return after

    def _own_end(self, tag: str, start: int) -> re.Match[str] | None:
        """Return the closing tag with the block's own name, or None; a missing name is searched for only once."""
        name = next((name for name in _NAMES if tag.lower().strip("<>").rpartition(":")[2].startswith(name)), None)
        if name is None or name in self._unclosed:
            return None
        close = _end_of(name).search(self._text, start)
        if close is None:
            self._unclosed.add(name)
        return close

    def _close(self, end: int) -> None:
        """Process a closing tag without an opening one, which ends at ``end``."""
        self.found = True
        if self._ended and not self._nested and self._object_before and not self._object_after(end):
            return  # a superfluous tag after other text
        self.thoughts.append("".join(self.kept).strip())
        self.kept = []
        self._nested = max(0, self._nested - 1)
        self._ended, self._object_before = True, False

    def _object_after(self, at: int) -> bool:
        if self._last_object < 0:
            self._last_object = max((found.start() for found in _BEGINS.finditer(self._text)), default=0)
        return self._last_object >= at
