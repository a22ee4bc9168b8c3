"""Editing plain text: measures, wrapping, case styles, replacing, tidying lines, comparing and shortening."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general import _text_work as work
from teller_gym.scenarios.distractors.general._plain_text import (
    WORD,
    LongPassage,
    Passage,
    keep_short,
    paragraphs,
    quoted,
    refuse,
    sentence_spans,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class TextMeasures(Result):
    """Sizes of a text; the average word length is rounded to two decimals."""

    characters: int
    letters: int
    words: int
    distinct_words: int
    sentences: int
    paragraphs: int
    average_word_length: float


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_text(
    bank: Bank,
    text: LongPassage,
    min_word_length: Annotated[int, Meta(ge=1, le=20)] = 1,
    count_numbers: bool = True,
) -> TextMeasures:
    """Count the characters, letters, words, sentences and paragraphs of a text.

    Args:
        text: The text.
        min_word_length: Words with fewer characters are left out of the word counts.
        count_numbers: Whether words without any letter, such as 2026, count as words.
    """
    words = [word for word in WORD.findall(text) if len(word) >= min_word_length]
    if not count_numbers:
        words = [word for word in words if any(character.isalpha() for character in word)]
    return TextMeasures(
        characters=len(text),
        letters=sum(character.isalpha() for character in text),
        words=len(words),
        distinct_words=len({word.casefold() for word in words}),
        sentences=len(sentence_spans(text)),
        paragraphs=len(paragraphs(text)),
        average_word_length=round(sum(map(len, words)) / len(words), 2) if words else 0.0,
    )


class Readability(Result):
    """The score, rounded to two decimals, and what it means."""

    score: float
    difficulty: Literal["easy", "medium", "hard"]
    words: int


@tool(category=Category.GENERAL_DISTRACTOR)
def score_readability(bank: Bank, text: LongPassage, formula: work.Formula) -> Readability:
    """Score how hard a text is to read from the lengths of its words and sentences. The first two formulas give a
    US school grade, LIX an index from about 20 to 60.

    Args:
        text: The text, at least one word.
        formula: Which formula.
    """
    words = WORD.findall(text)
    if not words:
        raise refuse("text", f"expected at least one word, got {quoted(text)}")
    score, difficulty = work.reading_score(words, len(sentence_spans(text)), formula)
    return Readability(score=round(score, 2), difficulty=difficulty, words=len(words))


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


class ReplacedText(Result):
    """The new text, how often the search text stood in the old one, and how many of these were replaced."""

    new_text: str
    found: int
    replaced: int


@tool(category=Category.GENERAL_DISTRACTOR)
def replace_in_text(
    bank: Bank,
    text: Passage,
    search_for: Annotated[str, Meta(min_length=1, max_length=60)],
    replacement: Annotated[str, Meta(max_length=60)],
    match_case: bool = True,
    whole_words: bool = False,
    first_match: Annotated[int, Meta(ge=1, le=600)] = 1,
    max_replacements: Annotated[int, Meta(ge=1, le=600)] = 600,
) -> ReplacedText:
    """Find a piece of text and replace it. Both are taken literally, there are no wildcards.

    Args:
        text: The text to work on.
        search_for: What to look for.
        replacement: What to put there; empty to remove.
        match_case: Whether capitals must agree.
        whole_words: Whether a match may not touch another letter or digit.
        first_match: The match to begin with; earlier ones stay.
        max_replacements: Most matches to replace.
    """
    last_match = first_match + max_replacements - 1
    new_text, found = work.replace_matches(
        text, work.literal_pattern(search_for, match_case, whole_words), replacement, range(first_match, last_match + 1)
    )
    replaced = max(0, min(found, last_match) - first_match + 1)
    return ReplacedText(new_text=keep_short(new_text, "replacement"), found=found, replaced=replaced)


class TidyLines(Result):
    """The lines that are left."""

    new_text: str
    lines_kept: int
    lines_removed: int
    most_copies: int


@tool(category=Category.GENERAL_DISTRACTOR)
def deduplicate_lines(
    bank: Bank,
    text: Passage,
    ignore_case: bool = False,
    ignore_spacing: bool = False,
    keep: Literal["first", "last"] = "first",
    adjacent_only: bool = False,
    drop_blank_lines: bool = False,
) -> TidyLines:
    """Remove repeated lines from a list and keep the order of the others.

    Args:
        text: The lines.
        ignore_case: Whether lines that differ in capitals alone are the same.
        ignore_spacing: Whether lines that differ in spaces alone are the same.
        keep: Which of several equal lines stays.
        adjacent_only: Whether only equal lines that follow each other are removed.
        drop_blank_lines: Whether blank lines go as well; otherwise all of them stay.
    """
    lines = text.splitlines()
    way = -1 if keep == "last" else 1
    kept, copies = work.drop_repeats(lines[::way], ignore_case, ignore_spacing, adjacent_only, drop_blank_lines)
    return TidyLines(
        new_text=keep_short("\n".join(kept[::way]), "text"),
        lines_kept=len(kept),
        lines_removed=len(lines) - len(kept),
        most_copies=copies,
    )


class SortedText(Result):
    """The lines in order; lines that have nothing to sort by stand last as they came."""

    new_text: str
    lines_sorted: int
    lines_without_key: int
    was_sorted: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def sort_text_lines(
    bank: Bank,
    text: Passage,
    order_by: work.SortRule,
    descending: bool = False,
    ignore_case: bool = True,
    key_column: Annotated[int, Meta(ge=0, le=20)] = 0,
    separator: work.Separator = "comma",
    header_lines: Annotated[int, Meta(ge=0, le=10)] = 0,
    blank_lines: Literal["last", "drop"] = "last",
) -> SortedText:
    """Sort the lines of a text by a rule. Equal lines keep their order.

    Args:
        text: The lines.
        order_by: The rule; natural puts 'item 2' before 'item 10', number goes by the first number in the key.
        descending: Whether the largest comes first.
        ignore_case: Whether capitals make no difference.
        key_column: The column to sort by, counted from 1; 0 for the whole line.
        separator: What stands between columns.
        header_lines: How many lines at the top stay where they are.
        blank_lines: What happens to blank lines.
    """
    lines = text.splitlines()
    ordered, keyless, blank = work.order_lines(
        lines[header_lines:], order_by, descending, ignore_case, key_column, work.SEPARATORS[separator]
    )
    result = lines[:header_lines] + ordered + keyless + (blank if blank_lines == "last" else [])
    return SortedText(
        new_text=keep_short("\n".join(result), "text"),
        lines_sorted=len(ordered),
        lines_without_key=len(keyless),
        was_sorted=result == lines,
    )


class ExtractedItems(Result):
    """The items, how many stand in the text, and how many of them differ."""

    items: list[str]
    found: int
    distinct: int


@tool(category=Category.GENERAL_DISTRACTOR)
def extract_text_items(
    bank: Bank,
    text: LongPassage,
    kind: work.ItemKind,
    distinct_only: bool = True,
    order: Literal["as_found", "alphabetical"] = "as_found",
    limit: Annotated[int, Meta(ge=1, le=50)] = 20,
) -> ExtractedItems:
    """Find all e-mail addresses, web addresses, numbers, dates or hashtags in a text.

    Args:
        text: The text to search.
        kind: What to look for; dates are those written like 2026-03-04 that exist.
        distinct_only: Whether an item that occurs again is shown once.
        order: In which order the items are shown.
        limit: Most items to show.
    """
    found = work.find_items(text, kind)
    distinct = list(dict.fromkeys(found))
    shown = distinct if distinct_only else found
    shown = sorted(shown) if order == "alphabetical" else shown
    return ExtractedItems(items=keep_short(shown[:limit], "limit"), found=len(found), distinct=len(distinct))


class TextComparison(Result):
    """What changed, with removed parts as [-old-] and added ones as {+new+}; the similarity is rounded to 0.1 %."""

    marked: str
    added: int
    removed: int
    unchanged: int
    similarity_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def compare_text_versions(
    bank: Bank,
    before: Passage,
    after: Passage,
    unit: work.Unit,
    ignore_case: bool = False,
    ignore_spacing: bool = False,
    context: Annotated[int, Meta(ge=0, le=600)] = 5,
) -> TextComparison:
    """Compare two versions of a text and mark what was added and what was removed.

    Args:
        before: The old version.
        after: The new version.
        unit: Whether lines, words or characters are compared.
        ignore_case: Whether capitals make no difference.
        ignore_spacing: Whether spaces inside lines, or between characters, make no difference.
        context: How many unchanged units are shown before and after a change.
    """
    signs, items = work.compare_units(before, after, unit, ignore_case, ignore_spacing)
    unchanged = signs.count(" ")
    return TextComparison(
        marked=keep_short(work.mark_changes(signs, items, unit, context), "before"),
        added=signs.count("+"),
        removed=signs.count("-"),
        unchanged=unchanged,
        similarity_percent=round(200 * unchanged / (len(signs) + unchanged), 1) if signs else 100.0,
    )


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
