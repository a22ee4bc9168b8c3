"""Strokes on a tally sheet."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Stroke = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,24}$")]
_TALLIES = "misc_tallies"


class TallyCount(Result):
    """The strokes of the option and of the whole sheet after the call."""

    tally_id: str
    option_count: int
    sheet_total: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def add_tally_strokes(
    bank: Bank, sheet: Name, option: Name, strokes: Annotated[int, Meta(ge=-1000, le=1000)] = 1
) -> TallyCount:
    """Add strokes to an option of a tally sheet; a sheet begins with its first stroke.

    Args:
        sheet: Name of the sheet, such as lunch-poll.
        option: What is counted, such as soup.
        strokes: How many to add; a negative number takes back that many.
    """
    name, counted = sheet.strip(), option.strip()
    key = bank.reference("TLY", name, counted)
    before = (bank.get(_TALLIES, key) or {"strokes": 0})["strokes"]
    if not 0 <= before + strokes <= 1_000_000 or strokes == 0:
        raise invalid("strokes", f"expected a number other than 0 that leaves 0 to 1000000, got {strokes} on {before}")
    bank.put(_TALLIES, key, {"owner": "misc", "sheet": name, "option": counted, "strokes": before + strokes})
    total = sum(row["strokes"] for _, row in bank.rows(_TALLIES) if row["sheet"] == name)
    return TallyCount(tally_id=key, option_count=before + strokes, sheet_total=total)


class TallySheet(Result):
    """Lines of option, strokes and share, the first twenty of those that are kept."""

    lines: list[str]
    total: int
    option_count: int


@tool(category=Category.GENERAL_DISTRACTOR)
def read_tally_sheet(
    bank: Bank, sheet: Name, order: Literal["most_first", "by_name"] = "most_first", least_strokes: Stroke = 0
) -> TallySheet:
    """Read a tally sheet: the strokes of each option and its share of the total in percent, to one decimal.

    Args:
        sheet: Name of the sheet.
        order: How the options are ordered.
        least_strokes: Leave out options with fewer strokes.
    """
    name = sheet.strip()
    counts = {row["option"]: row["strokes"] for _, row in bank.rows(_TALLIES) if row["sheet"] == name}
    if not counts:
        raise invalid("sheet", f"expected a sheet with strokes, got {name}, which has none; add some first")
    total = sum(counts.values())
    kept = sorted(
        (item for item in counts.items() if item[1] >= least_strokes),
        key=lambda item: (-item[1] if order == "most_first" else 0, item[0]),
    )
    lines = [f"{option}: {count} ({100 * count / max(1, total):.1f} %)" for option, count in kept[:20]]
    return TallySheet(lines=lines, total=total, option_count=len(kept))
