"""Texts wrapped, cut and in other cases."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import Passage, keep_short, paragraphs, quoted, refuse
from teller_gym.scenarios.distractors.general.text_editing import _shape as work
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class WrappedText(Result):
    """The text in lines."""

    wrapped_text: str
    lines: int
    longest_line: int


_MIN_ROOM = 10


@tool(category=Category.GENERAL_DISTRACTOR)
def wrap_text_block(
    bank: Bank,
    text: Passage,
    width: Annotated[int, Meta(ge=10, le=120)],
    alignment: Literal["left", "right", "center", "justify"] = "left",
    first_line_indent: Annotated[int, Meta(ge=0, le=20)] = 0,
    hanging_indent: Annotated[int, Meta(ge=0, le=20)] = 0,
    line_prefix: Annotated[str, Meta(max_length=8)] = "",
    break_long_words: bool = True,
) -> WrappedText:
    """Wrap a text to a line width and align it. Paragraphs are what blank lines separate.

    Args:
        text: The text.
        width: Most characters of a line, prefix and indents included.
        alignment: How lines are aligned; justified text leaves the last line of a paragraph alone.
        first_line_indent: Spaces before the first line of a paragraph.
        hanging_indent: Spaces before its other lines.
        line_prefix: Characters at the start of every line, such as '> '.
        break_long_words: Whether words longer than a line are cut; otherwise they stick out.
    """
    net = width - len(line_prefix)
    if (room := net - max(first_line_indent, hanging_indent)) < _MIN_ROOM:
        raise refuse("width", f"expected room for {_MIN_ROOM} characters after prefix and indent, got {room}; widen it")
    fill = work.Fill(net, first_line_indent, hanging_indent, alignment, break_long_words)
    blocks = [[line_prefix + line for line in fill.lines(paragraph)] for paragraph in paragraphs(text)]
    if not blocks:
        raise refuse("text", "expected a text that is not blank")
    joined = f"\n{line_prefix.rstrip()}\n".join("\n".join(lines) for lines in blocks)
    return WrappedText(
        wrapped_text=keep_short(joined, "text"),
        lines=sum(map(len, blocks)),
        longest_line=max(len(line) for lines in blocks for line in lines),
    )


class CaseConversion(Result):
    """The phrase in its new style."""

    converted: str
    words: int


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_case_style(
    bank: Bank,
    phrase: Annotated[str, Meta(min_length=1, max_length=120)],
    style: work.CaseStyle,
    keep_acronyms: bool = False,
) -> CaseConversion:
    """Rewrite a phrase or an identifier in another case style, such as snake_case, camelCase or Title Case.

    Args:
        phrase: The phrase; words end at spaces, punctuation and capital letters inside a word.
        style: The style; constant is SNAKE_CASE in capitals.
        keep_acronyms: Whether words all in capitals stay so in camel, pascal, title and sentence style.
    """
    words = work.case_words(phrase)
    if not words:
        raise refuse("phrase", f"expected a letter or a digit, got {quoted(phrase)}")
    return CaseConversion(converted=work.join_case(words, style, keep_acronyms), words=len(words))


class ShortText(Result):
    """The text, whether anything was cut, and how many units are gone."""

    short_text: str
    was_cut: bool
    units_removed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def truncate_text(
    bank: Bank,
    text: Passage,
    limit: Annotated[int, Meta(ge=1, le=600)],
    unit: work.CutUnit = "words",
    keep: work.CutEnd = "start",
    ellipsis: Annotated[str, Meta(max_length=10)] = "…",
    whole_words: bool = True,
) -> ShortText:
    """Shorten a text to a number of words, characters or sentences.

    Args:
        text: The text.
        limit: How many units to keep; the ellipsis counts among characters, not among words or sentences.
        unit: What is counted.
        keep: Which part stays; of both ends, the start gets the odd unit.
        ellipsis: What stands for the part that was cut.
        whole_words: Whether a limit in characters cuts between words if it can.
    """
    spans = work.unit_spans(text, unit)
    room = limit - (len(ellipsis) if unit == "characters" else 0)
    if len(spans) <= limit:
        return ShortText(short_text=text, was_cut=False, units_removed=0)
    if room < 1:
        raise refuse("limit", f"expected more than the {len(ellipsis)} characters of the ellipsis, got {limit}")
    head, tail = work.two_ends(text, spans, room, keep)
    if unit == "characters" and whole_words:
        head, tail = work.to_word_ends(text, head, tail)
    kept = len(head) + len(tail) if unit == "characters" else room
    return ShortText(short_text=head + ellipsis + tail, was_cut=True, units_removed=len(spans) - kept)
