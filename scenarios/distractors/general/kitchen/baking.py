"""Recipes, dough, ovens and pans."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.scenarios.distractors.general.kitchen._kitchen_tables import People, number_text
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

_INGREDIENT = r"^[0-9]{1,5}(\.[0-9]{1,2})? (g|ml|pc|tsp|tbsp|cup) [A-Za-z][A-Za-z '-]{0,39}$"
Ingredient = Annotated[str, Meta(pattern=_INGREDIENT, max_length=60)]
Ingredients = Annotated[list[Ingredient], Meta(min_length=1, max_length=20)]
Pan = Annotated[str, Meta(pattern="^((round|square) [1-9][0-9]|rectangle [1-9][0-9]x[1-9][0-9])$", max_length=20)]
PanDepth = Annotated[float, Meta(ge=1, le=20)]

_GAS_MARKS = {0.25: 225, 0.5: 250} | {float(mark): 250 + 25 * mark for mark in range(1, 10)}


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
    return f"{number_text(round_half_up(exact * parts) / parts)} {unit} {name}"


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
