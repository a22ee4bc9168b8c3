"""Texts replaced and compared."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import Passage, keep_short
from teller_gym.scenarios.distractors.general.text_editing import _changes as work
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


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
