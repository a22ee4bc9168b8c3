"""Printing: sheets, time and cost of a job."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class PrintJob(Result):
    """Paper and time; ``blank_sides`` are backs that stay empty, minutes with one decimal."""

    sheets: int
    printed_sides: int
    blank_sides: int
    tray_refills: int
    minutes: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_print_job(
    bank: Bank,
    document_pages: Annotated[int, Meta(ge=1, le=5000)],
    copies: Annotated[int, Meta(ge=1, le=1000)] = 1,
    pages_per_side: Literal[1, 2, 4, 6, 9, 16] = 1,
    two_sided: bool = True,
    first_page: Annotated[int, Meta(ge=1, le=5000)] = 1,
    last_page: Annotated[int, Meta(ge=1, le=5000)] | None = None,
    separator_sheets: bool = False,
    tray_sheets: Annotated[int, Meta(ge=50, le=3000)] = 500,
    sides_per_minute: Annotated[int, Meta(ge=1, le=200)] = 40,
) -> PrintJob:
    """Work out how much paper a print job takes, how often the tray is refilled, and how long it runs.

    Args:
        document_pages: Pages of the document.
        copies: How many copies; each begins on a new sheet.
        pages_per_side: Pages put together on one side of a sheet.
        two_sided: Whether both sides are printed.
        first_page: First page to print.
        last_page: Last page to print; the end of the document if left out.
        separator_sheets: Whether an empty sheet is put before each copy.
        tray_sheets: Sheets in a full tray, with which the job starts.
        sides_per_minute: Speed of the printer.
    """
    last = document_pages if last_page is None else last_page
    if not first_page <= last <= document_pages:
        expected = f"expected pages from first_page, {first_page}, to {document_pages}"
        raise invalid("first_page" if last_page is None else "last_page", f"{expected}, got a last page of {last}")
    sides = -(-(last - first_page + 1) // pages_per_side)
    sheets = -(-sides // 2) if two_sided else sides
    in_all = copies * (sheets + separator_sheets)
    return PrintJob(
        sheets=in_all,
        printed_sides=copies * sides,
        blank_sides=copies * (2 * sheets - sides),
        tray_refills=-(-in_all // tray_sheets) - 1,
        minutes=round(copies * sides / sides_per_minute, 1),
    )
