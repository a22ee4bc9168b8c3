"""Tests of mathematics/tally: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank
from tests.scenarios.distractors.general.mathematics.values import refusal


def test_a_tally_sheet() -> None:
    bank = empty_bank()
    first = call("add_tally_strokes", bank, sheet="lunch", option="soup")
    assert (first["option_count"], first["sheet_total"]) == (1, 1)
    call("add_tally_strokes", bank, sheet="lunch", option="rice", strokes=4)
    call("add_tally_strokes", bank, sheet="other", option="rice", strokes=9)
    again = call("add_tally_strokes", bank, sheet="lunch", option="soup", strokes=2)
    assert again == {"tally_id": first["tally_id"], "option_count": 3, "sheet_total": 7}
    assert call("read_tally_sheet", bank, sheet="lunch") == {
        "lines": ["rice: 4 (57.1 %)", "soup: 3 (42.9 %)"],
        "total": 7,
        "option_count": 2,
    }
    call("add_tally_strokes", bank, sheet="lunch", option="cake")
    assert call("read_tally_sheet", bank, sheet="lunch", order="by_name")["lines"][0] == "cake: 1 (12.5 %)"
    assert call("read_tally_sheet", bank, sheet="lunch", least_strokes=3)["option_count"] == 2
    with pytest.raises(ToolError, match="got -4 on 3"):
        call("add_tally_strokes", bank, sheet="lunch", option="soup", strokes=-4)
    assert call("add_tally_strokes", bank, sheet="lunch", option="soup", strokes=-3)["option_count"] == 0
    assert {change.after["owner"] for change in bank.diff()} == {"misc"}
    assert refusal("read_tally_sheet", sheet="lunch") == "sheet"
    assert refusal("add_tally_strokes", sheet="lunch", option="soup", strokes=0) == "strokes"


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 50)), min_size=1, max_size=9))
def test_tallies_add_up_in_any_order(strokes: list[tuple[str, int]]) -> None:
    sheets = []
    for order in (strokes, strokes[::-1]):
        bank = empty_bank()
        for option, count in order:
            call("add_tally_strokes", bank, sheet="s", option=option, strokes=count)
        sheets.append(call("read_tally_sheet", bank, sheet="s"))
    assert sheets[0] == sheets[1]
    assert sheets[0]["total"] == sum(count for _, count in strokes)
