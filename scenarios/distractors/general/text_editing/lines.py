"""Lines sorted and rid of repeats."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import Passage, keep_short
from teller_gym.scenarios.distractors.general.text_editing import _lines as work
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


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
