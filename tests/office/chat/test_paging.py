"""Pages of results."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.paging import MAX_ALL, MAX_COUNT, page_from, take


@given(st.integers(0, 30), st.integers(0, 14), st.integers(0, 14))
def test_a_page_is_a_part_of_the_list(total: int, count: int, offset: int) -> None:
    rows = [{"_id": str(i)} for i in range(total)]
    part, numbers = take(rows, page_from({"count": str(count), "offset": offset}))
    assert part == rows[offset : offset + count if count else total]
    assert numbers == {"count": len(part), "offset": offset, "total": total}


def test_sizes() -> None:
    rows = [{"_id": str(i)} for i in range(1500)]
    assert take(rows, page_from({}))[1] == {"count": 50, "offset": 0, "total": 1500}
    assert take(rows, page_from({}, 20))[1]["count"] == 20
    assert take(rows, page_from({"count": 5000}))[1]["count"] == MAX_COUNT
    assert take(rows, page_from({"count": 0}))[1]["count"] == MAX_ALL
    assert take(rows, page_from({"count": ""}))[1]["count"] == 50


@pytest.mark.parametrize(
    "values",
    [{"count": "ten"}, {"count": -1}, {"count": True}, {"offset": "-1"}, {"offset": "9" * 10}, {"offset": ["1"]}],
)
def test_malformed_numbers_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ChatError) as caught:
        page_from(values)
    assert caught.value.code == "invalid-params"
