"""Pages of lists, with Plane's cursors.

A cursor is ``per_page:page:is_prev``, such as ``100:2:0``. As in Plane, its first part is only repeated: the size of a
page comes from ``per_page`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from teller_gym.office.store import Record
from teller_gym.office.tracker.errors import unparsable

MAX_PER_PAGE: Final = 1000
"""Records on a page: the default and the maximum, as in Plane."""

_CURSOR = re.compile(r"-?\d{1,18}(?:\.\d{1,18})?:(\d{1,9}):-?\d{1,18}")
_PER_PAGE = re.compile(r"\d{1,18}")


def page(records: Sequence[Record], per_page: str | None = None, cursor: str | None = None) -> dict[str, Any]:
    """Return a page of records, with the cursors of the next and the previous one.

    Args:
        records: the whole list.
        per_page: the number of records on a page, 1 to 1000; 1000 by default.
        cursor: the page's cursor; the first page by default.

    Returns:
        Plane's envelope: ``grouped_by``, ``sub_grouped_by``, ``total_count``, ``next_cursor``, ``prev_cursor``,
        ``next_page_results``, ``prev_page_results``, ``count``, ``total_pages``, ``total_results``, ``extra_stats``
        and ``results``.

    Raises:
        TrackerError: 400.
    """
    size = MAX_PER_PAGE if per_page is None else _size(per_page)
    found = _CURSOR.fullmatch(cursor or "0:0:0")
    if found is None:
        raise unparsable("Invalid cursor parameter.")
    number, total = int(found[1]), len(records)
    first = number * size
    results = records[first : first + size]
    return {
        "grouped_by": None,
        "sub_grouped_by": None,
        "total_count": total,
        "next_cursor": f"{size}:{number + 1}:0",
        "prev_cursor": f"{size}:{number - 1}:1",
        "next_page_results": total > first + size,
        "prev_page_results": number > 0,
        "count": len(results),
        "total_pages": -(-total // size),
        "total_results": total,
        "extra_stats": None,
        "results": results,
    }


def _size(per_page: str) -> int:
    if not _PER_PAGE.fullmatch(per_page):
        raise unparsable("Invalid per_page parameter.")
    size = int(per_page)
    if size > MAX_PER_PAGE:
        raise unparsable(f"Invalid per_page value. Cannot exceed {MAX_PER_PAGE}.")
    if size < 1:
        raise unparsable("Invalid per_page value. Must be at least 1.")
    return size
