"""Tests of kitchen/pantry: expected values worked out by hand, or anew in another way."""

from datetime import timedelta
from typing import Any

from tests.scenarios.distractors.desk import TODAY, call, empty_bank
from tests.scenarios.distractors.general.kitchen.values import Arguments, refusal


def test_a_shopping_list_is_kept() -> None:
    bank = empty_bank()
    friday = (TODAY + timedelta(days=2)).isoformat()

    def add(item: str, quantity: float, unit: str, **more: Any) -> dict[str, Any]:
        return call("add_shopping_item", bank, list_name="Weekend", item=item, quantity=quantity, unit=unit, **more)

    bread = add("Bread", 2, "piece")
    assert (bread["entry"], bread["replaced"]) == ("2 piece bread", False)
    add("Milk", 1.5, "l", needed_by=friday)
    again = add("bread", 1, "piece")
    assert (again["item_id"], again["replaced"]) == (bread["item_id"], True)
    read = call("read_shopping_list", bank, list_name="weekend")
    assert read == {"entries": ["1.5 l milk", "1 piece bread"], "entries_in_all": 2}
    due = call("read_shopping_list", bank, list_name="weekend", needed_until=friday)
    assert due["entries"] == ["1.5 l milk"]
    assert {change.table for change in bank.diff()} == {"misc_shopping_items"}
    assert {change.after["owner"] for change in bank.diff()} == {"misc"}


def test_what_no_shopping_list_can_be() -> None:
    item: Arguments = {"list_name": "weekend", "item": "bread"}
    assert refusal("read_shopping_list", list_name="weekend") == "list_name"
    assert refusal("add_shopping_item", **item, quantity=1.5, unit="piece") == "quantity"
    yesterday = (TODAY - timedelta(days=1)).isoformat()
    assert refusal("add_shopping_item", **item, quantity=1, unit="kg", needed_by=yesterday) == "needed_by"


def test_how_long_food_keeps() -> None:
    stored: Arguments = {"food": "leftovers", "stored_on": "2026-03-01"}
    fridge = call("check_food_storage", **stored, place="fridge")
    assert fridge == {"keeps_days": 4, "last_good_day": "2026-03-05", "days_left": 1}
    frozen = call("check_food_storage", **stored, place="freezer")
    assert (frozen["keeps_days"], frozen["last_good_day"]) == (90, "2026-05-30")
    old = call("check_food_storage", food="fish", place="fridge", stored_on="2026-02-27")
    assert old["days_left"] == -3
    assert refusal("check_food_storage", food="raw_eggs", place="freezer", stored_on="2026-03-01") == "place"
    assert refusal("check_food_storage", food="fish", place="fridge", stored_on="2026-03-05") == "stored_on"
