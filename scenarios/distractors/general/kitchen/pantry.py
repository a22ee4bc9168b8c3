"""The shopping list, and how long food keeps."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.scenarios.distractors.general.kitchen._kitchen_tables import number_text, tables
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Plain = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z '-]{0,39}$", max_length=40)]
StoredFood = Literal["leftovers", "fish", "poultry", "ground_meat", "boiled_eggs", "raw_eggs", "soup", "steak"]
Storage = Literal["fridge", "freezer"]


class ShoppingItem(Result):
    """The item as it stands on the list."""

    item_id: str
    entry: str
    replaced: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def add_shopping_item(
    bank: Bank,
    list_name: Plain,
    item: Plain,
    quantity: Annotated[float, Meta(ge=0.001, le=1000)],
    unit: Literal["piece", "pack", "kg", "g", "l"],
    needed_by: date | None = None,
) -> ShoppingItem:
    """Put an item on a shopping list. The same item in the same unit replaces the entry that is there.

    Args:
        list_name: The list, such as "weekend"; it is made if there is none.
        item: What to buy.
        quantity: How much; the entry shows three decimals at most.
        unit: Unit of the quantity; pieces and packs are whole.
        needed_by: Last day on which it is of use; today or later.
    """
    if unit in ("piece", "pack") and quantity != int(quantity):
        raise refused("quantity", f"a whole number of {unit}s", f"{quantity:g}")
    if needed_by is not None and needed_by < bank.today:
        raise refused("needed_by", f"{bank.today} or later", needed_by)
    shopping_list, name = list_name.strip().lower(), item.strip().lower()
    item_id = bank.reference("SHOP", shopping_list, name, unit)
    replaced = bank.get("misc_shopping_items", item_id) is not None
    entry = f"{number_text(quantity)} {unit} {name}"
    day = needed_by.isoformat() if needed_by is not None else None
    record = {"owner": "misc", "list": shopping_list, "item": name, "entry": entry, "needed_by": day}
    bank.put("misc_shopping_items", item_id, record)
    return ShoppingItem(item_id=item_id, entry=entry, replaced=replaced)


class ShoppingList(Result):
    """The entries by day needed, then by name; at most 25 are shown."""

    entries: list[str]
    entries_in_all: int


@tool(category=Category.GENERAL_DISTRACTOR)
def read_shopping_list(bank: Bank, list_name: Plain, needed_until: date | None = None) -> ShoppingList:
    """Read a shopping list, those items first that are needed soonest.

    Args:
        list_name: The list.
        needed_until: Only items that are needed by this day; without it, all items.
    """
    name = list_name.strip().lower()
    rows = [row for _, row in bank.rows("misc_shopping_items") if row["list"] == name]
    if not rows:
        raise refused("list_name", "a list with items on it", f"{name!r}; add an item first")
    if needed_until is not None:
        rows = [row for row in rows if row["needed_by"] and row["needed_by"] <= needed_until.isoformat()]
    rows.sort(key=lambda row: (row["needed_by"] or "9999-99-99", row["item"], row["entry"]))
    return ShoppingList(entries=[row["entry"] for row in rows[:25]], entries_in_all=len(rows))


class StorageCheck(Result):
    """How long the food keeps; ``days_left`` is negative after the last day."""

    keeps_days: int
    last_good_day: date
    days_left: int


@tool(category=Category.GENERAL_DISTRACTOR)
def check_food_storage(bank: Bank, food: StoredFood, place: Storage, stored_on: date) -> StorageCheck:
    """Tell until when stored food is good to eat.

    Args:
        food: Kind of food: fish, poultry, meat and eggs as bought (boiled eggs aside), leftovers and soup as cooked.
        place: Where it is kept; eggs are not for the freezer.
        stored_on: Day on which it was put there, today or earlier.
    """
    if stored_on > bank.today:
        raise refused("stored_on", f"{bank.today} or earlier", stored_on)
    days = tables().storage[food][("fridge", "freezer").index(place)]
    if days is None:
        raise refused("place", f"the fridge for {food}", place)
    last = stored_on + timedelta(days=days)
    return StorageCheck(keeps_days=days, last_good_day=last, days_left=(last - bank.today).days)
