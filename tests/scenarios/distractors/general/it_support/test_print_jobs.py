"""Tests of it_support/print_jobs: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_print_job_by_hand() -> None:
    job: dict[str, Any] = {"document_pages": 100, "first_page": 3, "last_page": 12, "pages_per_side": 2, "copies": 3}
    # Five sides are three sheets, one of them with an empty back.
    expected = {"sheets": 9, "printed_sides": 15, "blank_sides": 3, "tray_refills": 0, "minutes": 0.4}
    assert call("plan_print_job", **job) == expected
    assert call("plan_print_job", **job, separator_sheets=True)["sheets"] == 12
    assert call("plan_print_job", **job, sides_per_minute=10)["minutes"] == 1.5
    single = call("plan_print_job", document_pages=101, two_sided=False, tray_sheets=50)
    assert (single["sheets"], single["tray_refills"], single["blank_sides"]) == (101, 2, 101)
    for wrong in ({"last_page": 2}, {"last_page": 101}):
        with pytest.raises(ToolError) as refused:
            call("plan_print_job", **job | wrong)
        assert refused.value.field == "last_page"
    with pytest.raises(ToolError, match="first_page"):
        call("plan_print_job", document_pages=5, first_page=6)


@given(st.integers(1, 5000), st.integers(1, 1000), st.sampled_from([1, 2, 4, 6, 9, 16]), st.booleans())
@settings(deadline=None, max_examples=50)
def test_paper_holds_all_pages_and_not_a_sheet_more(pages: int, copies: int, per_side: int, two_sided: bool) -> None:
    made = call("plan_print_job", document_pages=pages, copies=copies, pages_per_side=per_side, two_sided=two_sided)
    a_sheet = per_side * (2 if two_sided else 1)
    assert (made["sheets"] // copies - 1) * a_sheet < pages <= made["sheets"] // copies * a_sheet
    assert made["printed_sides"] + made["blank_sides"] == 2 * made["sheets"]
