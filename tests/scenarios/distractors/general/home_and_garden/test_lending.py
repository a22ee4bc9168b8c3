"""Tests of home_and_garden/lending: expected values worked out by hand, or anew in another way."""

from datetime import timedelta

from tests.scenarios.distractors.desk import TODAY, call, empty_bank
from tests.scenarios.distractors.general.home_and_garden.values import Arguments, refusal


def test_tools_are_lent_and_come_back() -> None:
    bank = empty_bank()
    drill: Arguments = {"tool_name": "Cordless Drill", "borrower": "Ann", "days": 7}
    lent = call("lend_tool", bank, **drill, accessories=["charger", "bits"])
    assert lent["due_on"] == "2026-03-11"
    call("lend_tool", bank, tool_name="ladder", borrower="Ben", days=2)
    assert refusal("lend_tool", bank, tool_name="cordless drill", borrower="Ben", days=1) == "tool_name"
    everything = call("list_lent_tools", bank)
    assert everything["lent_in_all"] == 2
    assert everything["lendings"][1] == f"{lent['lending_id']} cordless drill, Ann, 2026-03-11"
    assert call("list_lent_tools", bank, borrower="ann")["lent_in_all"] == 1
    assert call("list_lent_tools", bank, due_until="2026-03-06")["lendings"][0].endswith("ladder, Ben, 2026-03-06")
    back: Arguments = {"lending_id": lent["lending_id"], "condition": "worn", "missing_accessories": ["bits"]}
    assert refusal("return_lent_tool", bank, **back | {"missing_accessories": ["case"]}) == "missing_accessories"
    late = empty_bank(TODAY + timedelta(days=10)).fork(bank.snapshot())
    assert call("return_lent_tool", late, **back) == {"days_late": 3, "complete": False, "damaged": True}
    assert refusal("return_lent_tool", late, **back) == "lending_id"
    assert call("list_lent_tools", late)["lent_in_all"] == 1
    assert call("lend_tool", late, tool_name="cordless drill", borrower="Ben", days=1)["due_on"] == "2026-03-15"
    assert {change.table for change in late.diff()} == {"misc_lendings"}
    assert {change.after["owner"] for change in late.diff()} == {"misc"}


def test_what_cannot_be_lent_or_returned() -> None:
    assert refusal("lend_tool", tool_name="saw", borrower="Ann", days=1, condition="broken") == "condition"
    assert refusal("return_lent_tool", lending_id="LEND-123456", condition="good") == "lending_id"
    assert refusal("list_lent_tools", borrower="") == "borrower"
    assert call("list_lent_tools") == {"lendings": [], "lent_in_all": 0}
