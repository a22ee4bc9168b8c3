"""Texts measured and scored."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import (
    WORD,
    LongPassage,
    keep_short,
    paragraphs,
    quoted,
    refuse,
    sentence_spans,
)
from teller_gym.scenarios.distractors.general.text_editing import _measures as work
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
