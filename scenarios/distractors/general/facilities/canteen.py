"""The canteen and its menu."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general.facilities._house import SATURDAY, Allergen, read_house
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class CanteenMenu(Result):
    """Dishes of the day that fit, and how many do not."""

    weekday: str
    menu_week: Literal["A", "B"]
    dishes: list[str]
    left_out: int


@tool(category=Category.GENERAL_DISTRACTOR)
def get_canteen_menu(
    bank: Bank,
    day: date,
    diet: Literal["any", "vegetarian", "vegan"] = "any",
    without_allergens: Annotated[list[Allergen], Meta(max_length=9)] | None = None,
) -> CanteenMenu:
    """Look up what the staff canteen serves on a day; its menu repeats every two weeks.

    Args:
        day: A day from Monday to Friday.
        diet: Only dishes of this diet; vegan dishes are vegetarian too.
        without_allergens: Leave out dishes with any of these.
    """
    if day.weekday() >= SATURDAY:
        raise invalid("day", f"expected a day from Monday to Friday, got a {_WEEKDAYS[day.weekday()]}: it is closed")
    # Counted in whole weeks from a Monday, since calendar weeks do not alternate at the turn of a year.
    week: Literal["A", "B"] = "B" if (day.toordinal() - 1) // 7 % 2 else "A"
    served = read_house().menu[week][_WEEKDAYS[day.weekday()]]
    diets = {"any": ("vegan", "vegetarian", "fish", "meat"), "vegetarian": ("vegan", "vegetarian"), "vegan": ("vegan",)}
    avoided = without_allergens or []
    fits = [d.dish for d in served if d.diet in diets[diet] and not any(a in avoided for a in d.allergens)]
    weekday = _WEEKDAYS[day.weekday()]
    return CanteenMenu(weekday=weekday, menu_week=week, dishes=fits, left_out=len(served) - len(fits))
