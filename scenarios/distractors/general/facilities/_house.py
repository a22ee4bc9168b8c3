"""The tables of the house."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import msgspec

Allergen = Literal["gluten", "milk", "egg", "nuts", "soy", "fish", "celery", "sesame", "mustard"]
Plant = Literal["cactus", "snake_plant", "ficus", "monstera", "peace_lily", "fern"]
SATURDAY = 5


class Dish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dish of the canteen."""

    dish: str
    diet: Literal["vegan", "vegetarian", "fish", "meat"]
    allergens: list[Allergen]


class PlantCare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much a plant drinks."""

    days: int
    water_percent: int


class WasteRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a thing goes."""

    clean: str
    soiled: str
    fetched_from: int


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The house tables."""

    menu: dict[Literal["A", "B"], dict[str, list[Dish]]]
    plants: dict[Plant, PlantCare]
    waste: dict[str, WasteRule]


@cache
def read_house() -> House:
    folder = resources.files("teller_gym.scenarios.distractors.general.facilities")
    table = folder.joinpath("facilities.yaml").read_bytes()
    return msgspec.yaml.decode(table, type=House)
