"""The kitchen: recipes, dough, ovens and roasts, nutrition, storage and a shopping list."""

from __future__ import annotations

import math
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.money import round_half_up
from teller_gym.base.text import did_you_mean
from teller_gym.scenarios.distractors.general._daily import (
    MINUTES_A_DAY,
    TimeOfDay,
    minutes_of,
    refused,
    round_up,
    time_of,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

_INGREDIENT = r"^[0-9]{1,5}(\.[0-9]{1,2})? (g|ml|pc|tsp|tbsp|cup) [A-Za-z][A-Za-z '-]{0,39}$"
Ingredient = Annotated[str, Meta(pattern=_INGREDIENT, max_length=60)]
Ingredients = Annotated[list[Ingredient], Meta(min_length=1, max_length=20)]
People = Annotated[int, Meta(ge=1, le=200)]
Plain = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z '-]{0,39}$", max_length=40)]
Pan = Annotated[str, Meta(pattern="^((round|square) [1-9][0-9]|rectangle [1-9][0-9]x[1-9][0-9])$", max_length=20)]
PanDepth = Annotated[float, Meta(ge=1, le=20)]
StoredFood = Literal["leftovers", "fish", "poultry", "ground_meat", "boiled_eggs", "raw_eggs", "soup", "steak"]
Storage = Literal["fridge", "freezer"]
FoodName = Annotated[str, Meta(pattern="^[a-z_]{2,30}$", max_length=30)]
FoodNames = Annotated[list[FoodName], Meta(min_length=1, max_length=20)]
Weights = Annotated[list[Annotated[float, Meta(ge=0, le=5000)]], Meta(min_length=1, max_length=20)]

_GAS_MARKS = {0.25: 225, 0.5: 250} | {float(mark): 250 + 25 * mark for mark in range(1, 10)}


class Tables(msgspec.Struct, frozen=True):
    """What stands in kitchen.yaml."""

    foods: dict[str, tuple[float, float, float, float]]
    roasting: dict[str, dict[str, tuple[float, float, int]]]
    storage: dict[str, tuple[int | None, int | None]]


@cache
def _tables() -> Tables:
    text = resources.files("teller_gym.scenarios.distractors.general").joinpath("kitchen.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=Tables)


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


class ScaledRecipe(Result):
    """The recipe for the wanted servings; the factor has four decimals."""

    factor: float
    ingredients: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def scale_recipe(
    bank: Bank, ingredients: Ingredients, recipe_servings: People, wanted_servings: People, whole_pieces: bool = True
) -> ScaledRecipe:
    """Scale a recipe to other servings. Grams and millilitres are rounded to whole ones, spoons and cups to quarters.

    Args:
        ingredients: Amount, unit (g, ml, pc, tsp, tbsp or cup) and name of each, such as "250 g flour" or "3 pc egg".
        recipe_servings: People the recipe is written for.
        wanted_servings: People to cook.
        whole_pieces: Whether pieces are rounded up to whole ones; if not, to two decimals.
    """
    factor = Fraction(wanted_servings, recipe_servings)
    scaled = [_scale_ingredient(ingredient, factor, whole_pieces) for ingredient in ingredients]
    return ScaledRecipe(factor=round(float(factor), 4), ingredients=scaled)


def _scale_ingredient(ingredient: str, factor: Fraction, whole_pieces: bool) -> str:
    amount, unit, name = ingredient.strip().split(" ", 2)
    exact = Fraction(amount) * factor
    if unit == "pc" and whole_pieces:
        return f"{math.ceil(exact)} pc {name}"
    parts = {"g": 1, "ml": 1, "pc": 100}.get(unit, 4)
    return f"{_number(round_half_up(exact * parts) / parts)} {unit} {name}"


class DoughPlan(Result):
    """Grams to weigh out, one decimal. Flour and water come on top of what the starter brings."""

    flour_grams: float
    water_grams: float
    salt_grams: float
    starter_grams: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_dough(
    bank: Bank,
    pieces: Annotated[int, Meta(ge=1, le=100)],
    baked_weight_grams: Annotated[float, Meta(ge=10, le=3000)],
    hydration_percent: Annotated[float, Meta(ge=30, le=120)],
    salt_percent: Annotated[float, Meta(ge=0, le=5)],
    starter_flour_percent: Annotated[float, Meta(ge=0, le=60)] = 0,
    starter_hydration_percent: Annotated[float, Meta(ge=50, le=200)] = 100,
    baking_loss_percent: Annotated[float, Meta(ge=0, le=25)] = 0,
) -> DoughPlan:
    """Work out the ingredients of a bread dough from baker's percentages, which count in percent of all flour.

    Args:
        pieces: Loaves or rolls.
        baked_weight_grams: Weight of one after baking.
        hydration_percent: Water, that of the starter included.
        salt_percent: Salt.
        starter_flour_percent: Part of the flour that comes with a sourdough starter.
        starter_hydration_percent: Water of the starter in percent of its flour.
        baking_loss_percent: Weight lost in the oven, in percent of the dough.
    """
    starter_water = starter_flour_percent * starter_hydration_percent / 100
    if starter_water > hydration_percent:
        raise refused("starter_hydration_percent", f"at most {hydration_percent:g} % starter water", starter_water)
    each = pieces * baked_weight_grams / (1 - baking_loss_percent / 100) / (100 + hydration_percent + salt_percent)
    return DoughPlan(
        flour_grams=round(each * (100 - starter_flour_percent), 1),
        water_grams=round(each * (hydration_percent - starter_water), 1),
        salt_grams=round(each * salt_percent, 1),
        starter_grams=round(each * (starter_flour_percent + starter_water), 1),
    )


class OvenSetting(Result):
    """Whole degrees; the gas mark is null if none lies within 15 degrees Fahrenheit."""

    celsius: int
    fahrenheit: int
    fan_celsius: int
    nearest_gas_mark: float | None


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_oven_setting(
    bank: Bank,
    setting: Annotated[float, Meta(ge=0.25, le=600)],
    scale: Literal["celsius", "fahrenheit", "gas_mark"],
    fan_oven: bool = False,
) -> OvenSetting:
    """Convert an oven setting between Celsius, Fahrenheit, gas marks and fan ovens, which run 20 degrees C cooler.

    Args:
        setting: Temperature or gas mark (0.25, 0.5, or 1 to 9).
        scale: What the setting is given in.
        fan_oven: Whether the temperature given is meant for a fan oven.
    """
    if scale == "gas_mark":
        if setting not in _GAS_MARKS or fan_oven:
            raise refused("setting", "gas mark 0.25, 0.5 or 1 to 9 of an oven without fan", f"{setting:g}")
        celsius = (_GAS_MARKS[setting] - 32) / 1.8
    else:
        low, high = (50, 300) if scale == "celsius" else (120, 570)
        if not low <= setting <= high:
            raise refused("setting", f"{low} to {high} degrees {scale}", f"{setting:g}")
        celsius = setting if scale == "celsius" else (setting - 32) / 1.8
        celsius += 20 if fan_oven else 0
    fahrenheit = celsius * 1.8 + 32
    nearest = min(_GAS_MARKS, key=lambda mark: abs(_GAS_MARKS[mark] - fahrenheit))
    mark = nearest if abs(_GAS_MARKS[nearest] - fahrenheit) <= 15 else None
    fan = round(celsius - 20)
    return OvenSetting(celsius=round(celsius), fahrenheit=round(fahrenheit), fan_celsius=fan, nearest_gas_mark=mark)


class RoastPlan(Result):
    """When the roast goes in; ``day_before`` tells that it is on the day before it is served."""

    roasting_minutes: int
    core_celsius: int
    put_in_at: str
    day_before: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_roast(
    bank: Bank,
    meat: Literal["beef", "lamb", "pork", "chicken"],
    doneness: Literal["rare", "medium", "well_done"],
    weight_kg: Annotated[float, Meta(ge=0.3, le=10)],
    serve_at: TimeOfDay,
    resting_minutes: Annotated[int, Meta(ge=0, le=90)] = 15,
    fan_oven: bool = False,
) -> RoastPlan:
    """Estimate how many minutes a roast needs, so many for each 500 g and some on top, and when to put it in.

    Args:
        meat: Kind of meat; pork and chicken are cooked well done only.
        doneness: How it should be.
        weight_kg: Weight of the raw joint.
        serve_at: Time at which it is carved, such as 19:30.
        resting_minutes: Rest between oven and carving.
        fan_oven: Whether a fan oven is used; it takes a tenth off the time.
    """
    rules = _tables().roasting[meat]
    if doneness not in rules:
        raise refused("doneness", f"{' or '.join(rules)} for {meat}", doneness)
    per_half_kilo, extra, core = rules[doneness]
    roasting = round_up((per_half_kilo * weight_kg * 2 + extra) * (0.9 if fan_oven else 1))
    day, start = divmod(minutes_of(serve_at) - roasting - resting_minutes, MINUTES_A_DAY)
    return RoastPlan(roasting_minutes=roasting, core_celsius=core, put_in_at=time_of(start), day_before=day < 0)


class MealNutrition(Result):
    """One person's share; one decimal."""

    energy_kcal: float
    protein_grams: float
    fat_grams: float
    carbohydrate_grams: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_meal_nutrition(bank: Bank, foods: FoodNames, grams: Weights, people: People = 1) -> MealNutrition:
    """Work out energy, protein, fat and carbohydrate of a meal from a table of common foods.

    Args:
        foods: Foods, such as apple, egg, olive_oil, cooked_pasta or roasted_chicken_breast.
        grams: Weight of each food, in the same order.
        people: How many share the meal.
    """
    if len(grams) != len(foods):
        raise refused("grams", f"a weight for each of the {len(foods)} foods", len(grams))
    table = _tables().foods
    for food in foods:
        if food.strip() not in table:
            hint = did_you_mean(food, table) or f"; known are {', '.join(table)}"
            raise refused("foods", "foods of the table", f"{food.strip()!r}{hint}")
    rows = [[value * weight for value in table[food.strip()]] for food, weight in zip(foods, grams, strict=True)]
    energy, protein, fat, carbohydrate = (round(sum(column) / 100 / people, 1) for column in zip(*rows, strict=True))
    return MealNutrition(energy_kcal=energy, protein_grams=protein, fat_grams=fat, carbohydrate_grams=carbohydrate)


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
    entry = f"{_number(quantity)} {unit} {name}"
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
    days = _tables().storage[food][("fridge", "freezer").index(place)]
    if days is None:
        raise refused("place", f"the fridge for {food}", place)
    last = stored_on + timedelta(days=days)
    return StorageCheck(keeps_days=days, last_good_day=last, days_left=(last - bank.today).days)


class PanConversion(Result):
    """Amounts of the recipe are multiplied by the factor, which has two decimals."""

    factor: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_baking_pan(
    bank: Bank, from_pan: Pan, from_depth_cm: PanDepth, to_pan: Pan, to_depth_cm: PanDepth
) -> PanConversion:
    """Find by what to multiply a recipe so that it fills another baking pan to the same share.

    Args:
        from_pan: The recipe's pan, its sizes in cm: "round 26", "square 20" or "rectangle 20x30".
        from_depth_cm: Depth of the recipe's pan.
        to_pan: The pan at hand.
        to_depth_cm: Depth of the pan at hand.
    """
    return PanConversion(factor=round(_pan_area(to_pan) * to_depth_cm / (_pan_area(from_pan) * from_depth_cm), 2))


def _pan_area(pan: str) -> float:
    shape, text = pan.split()
    sides = [int(side) for side in text.split("x")]
    return math.pi * sides[0] ** 2 / 4 if shape == "round" else float(sides[0] * sides[-1])


class AlcoholEstimate(Result):
    """Drinks and hours with one decimal, the level in per mille with two; 0.15 per mille an hour are broken down."""

    standard_drinks: float
    per_mille: float
    hours_to_zero: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_alcohol_level(
    bank: Bank,
    glass_ml: Annotated[float, Meta(ge=10, le=1000)],
    strength_percent: Annotated[float, Meta(ge=0, le=80)],
    glasses: Annotated[int, Meta(ge=1, le=20)],
    body_weight_kg: Annotated[float, Meta(ge=30, le=250)],
    sex: Literal["female", "male"],
    hours_since_first: Annotated[float, Meta(ge=0, le=48)],
    standard: Literal["uk", "us", "australia"] = "us",
) -> AlcoholEstimate:
    """Count standard drinks and estimate the blood alcohol level after some hours by Widmark's formula.

    Args:
        glass_ml: Size of a glass.
        strength_percent: Alcohol by volume.
        glasses: Glasses drunk.
        body_weight_kg: Weight of the person.
        sex: Sex of the person; the body's share that takes up alcohol is 0.55 or 0.68.
        hours_since_first: Hours since the first glass.
        standard: Whose standard drink counts: 8 g (UK), 14 g (US) or 10 g (Australia) of alcohol.
    """
    grams = glass_ml * glasses * strength_percent / 100 * 0.789
    level = max(0.0, grams / (body_weight_kg * (0.55 if sex == "female" else 0.68)) - 0.15 * hours_since_first)
    drinks = grams / {"uk": 8, "us": 14, "australia": 10}[standard]
    return AlcoholEstimate(
        standard_drinks=round(drinks, 1), per_mille=round(level, 2), hours_to_zero=round(level / 0.15, 1)
    )
