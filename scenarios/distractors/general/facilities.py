"""Running the bank's tower: canteen, cleaning, plants, lifts, energy and waste."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from importlib import resources
from math import pi
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.text import did_you_mean
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Allergen = Literal["gluten", "milk", "egg", "nuts", "soy", "fish", "celery", "sesame", "mustard"]
Plant = Literal["cactus", "snake_plant", "ficus", "monstera", "peace_lily", "fern"]
Crew = Annotated[list[Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z .'-]*$", max_length=16)]], Meta(max_length=12)]
Area = Literal["kitchen", "lobby", "meeting_rooms", "offices", "stairs", "washrooms"]
Floor = Annotated[int, Meta(ge=-3, le=40)]
Seconds = Annotated[float, Meta(ge=0, le=600)]
Watts = Annotated[float, Meta(ge=0, le=5000)]

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SATURDAY = 5
_LIGHT = {"shade": 1.25, "indirect": 1.0, "sunny": 0.75}


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
def _house() -> House:
    table = resources.files("teller_gym.scenarios.distractors.general").joinpath("facilities.yaml").read_bytes()
    return msgspec.yaml.decode(table, type=House)


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
    if day.weekday() >= _SATURDAY:
        raise invalid("day", f"expected a day from Monday to Friday, got a {_WEEKDAYS[day.weekday()]}: it is closed")
    # Counted in whole weeks from a Monday, since calendar weeks do not alternate at the turn of a year.
    week: Literal["A", "B"] = "B" if (day.toordinal() - 1) // 7 % 2 else "A"
    served = _house().menu[week][_WEEKDAYS[day.weekday()]]
    diets = {"any": ("vegan", "vegetarian", "fish", "meat"), "vegetarian": ("vegan", "vegetarian"), "vegan": ("vegan",)}
    avoided = without_allergens or []
    fits = [d.dish for d in served if d.diet in diets[diet] and not any(a in avoided for a in d.allergens)]
    weekday = _WEEKDAYS[day.weekday()]
    return CanteenMenu(weekday=weekday, menu_week=week, dishes=fits, left_out=len(served) - len(fits))


class RotaDay(Result):
    """Who cleans on a day, in the order of the areas."""

    day: date
    crew: list[str]


class CleaningRota(Result):
    """The rota, and how many turns the least and the most charged have."""

    rota: list[RotaDay]
    fewest_turns: int
    most_turns: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_cleaning_rota(
    bank: Bank,
    crew: Crew,
    areas: Annotated[list[Area], Meta(min_length=1, max_length=6)],
    first_day: date,
    days: Annotated[int, Meta(ge=1, le=14)],
    weekends_too: bool = False,
) -> CleaningRota:
    """Plan who cleans which area of the tower on which day; turns go round the crew in order.

    Args:
        crew: Names of the cleaners.
        areas: Areas to be cleaned each day.
        first_day: First day of the rota.
        days: How many calendar days it covers.
        weekends_too: Whether Saturdays and Sundays are cleaned too.
    """
    if not crew or len({*crew}) < len(crew) or len({*areas}) < len(areas):
        raise invalid("crew", "expected at least one cleaner, and no cleaner or area twice")
    if first_day > date.max - timedelta(days=days):
        raise invalid("first_day", f"expected a day whose rota ends in the year 9999, got {first_day}")
    covered = [first_day + timedelta(days=i) for i in range(days)]
    covered = [day for day in covered if weekends_too or day.weekday() < _SATURDAY]
    if not covered:
        raise invalid("days", "expected a day from Monday to Friday among them, got a weekend; add days")
    rota = [
        RotaDay(day=day, crew=[crew[(i * len(areas) + j) % len(crew)] for j in range(len(areas))])
        for i, day in enumerate(covered)
    ]
    turns = len(covered) * len(areas)
    return CleaningRota(rota=rota, fewest_turns=turns // len(crew), most_turns=-(-turns // len(crew)))


class WateringPlan(Result):
    """Days to water within the horizon; water in ml, to the next 10; days overdue today."""

    interval_days: int
    water_ml: int
    watering_days: list[date]
    overdue_days: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_plant_watering(
    bank: Bank,
    plant: Plant,
    pot_diameter_cm: Annotated[float, Meta(ge=5, le=80)],
    pot_height_cm: Annotated[float, Meta(ge=5, le=80)],
    light: Literal["shade", "indirect", "sunny"],
    room_temperature_c: Annotated[float, Meta(ge=5, le=40)],
    last_watered: date,
    horizon_days: Annotated[int, Meta(ge=1, le=60)] = 14,
) -> WateringPlan:
    """Plan when and how much to water an office plant. Above 25 degrees it needs water sooner, below 15 later.

    Args:
        plant: Kind of plant.
        pot_diameter_cm: Diameter of the pot.
        pot_height_cm: Height of the pot.
        light: Where it stands.
        room_temperature_c: Temperature of the room in degrees Celsius.
        last_watered: When it was watered last, today at the latest.
        horizon_days: How many days ahead to plan, from today.
    """
    late = (bank.today - last_watered).days
    if late < 0:
        raise invalid("last_watered", f"expected {bank.today} or earlier, got {last_watered}")
    care, warmth = _house().plants[plant], 0.8 if room_temperature_c > 25 else 1.3 if room_temperature_c < 15 else 1
    interval = max(1, int(care.days * _LIGHT[light] * warmth + 0.5))
    volume = pi * (pot_diameter_cm / 2) ** 2 * pot_height_cm
    first = max(0, interval - late)
    return WateringPlan(
        interval_days=interval,
        water_ml=max(10, round(volume * care.water_percent / 1000) * 10),
        watering_days=[bank.today + timedelta(days=i) for i in range(first, horizon_days + 1, interval)],
        overdue_days=max(0, late - interval),
    )


class StairsOrLift(Result):
    """Seconds with one decimal; ``lift_from_floors``: from how many floors on the lift is quicker, null if never."""

    stairs_seconds: float
    lift_seconds: float
    quicker: Literal["stairs", "lift", "same"]
    lift_from_floors: int | None


@tool(category=Category.GENERAL_DISTRACTOR)
def compare_stairs_and_lift(
    bank: Bank,
    from_floor: Floor,
    to_floor: Floor,
    lift_wait_seconds: Seconds,
    lift_seconds_per_floor: Seconds = 2,
    stops_on_the_way: Annotated[int, Meta(ge=0, le=42)] = 0,
    seconds_per_stop: Seconds = 12,
    stair_seconds_per_floor: Annotated[float, Meta(ge=1, le=600)] = 16,
) -> StairsOrLift:
    """Compare how long the stairs and the lift take between two floors; stairs down take three quarters of the time.

    Args:
        from_floor: Floor from which to go; the ground floor is 0.
        to_floor: Floor to which to go.
        lift_wait_seconds: How long the lift takes to come.
        lift_seconds_per_floor: Travel time of the lift a floor.
        stops_on_the_way: How often it stops in between.
        seconds_per_stop: How long a stop takes.
        stair_seconds_per_floor: How long a floor takes upstairs.
    """
    floors = abs(to_floor - from_floor)
    if stops_on_the_way > max(0, floors - 1):
        expected = f"expected at most one at each of {max(0, floors - 1)} floors in between"
        raise invalid("stops_on_the_way", f"{expected}, got {stops_on_the_way}")
    stair = stair_seconds_per_floor * (0.75 if to_floor < from_floor else 1)
    fixed = lift_wait_seconds + stops_on_the_way * seconds_per_stop
    stairs, lift = round(floors * stair, 1), round(fixed + floors * lift_seconds_per_floor, 1)
    gain = stair - lift_seconds_per_floor
    return StairsOrLift(
        stairs_seconds=stairs,
        lift_seconds=lift,
        quicker="same" if stairs == lift else "stairs" if stairs < lift else "lift",
        lift_from_floors=int(fixed / gain) + 1 if gain > 1e-6 else None,
    )


class DeviceEnergy(Result):
    """Energy in kWh with two decimals; standby's share in percent with one."""

    active_kwh: float
    standby_kwh: float
    total_kwh: float
    standby_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_device_energy(
    bank: Bank,
    devices: Annotated[int, Meta(ge=1, le=10_000)],
    active_watts: Watts,
    standby_watts: Watts,
    active_hours_a_day: Annotated[float, Meta(ge=0, le=24)],
    days_a_week: Annotated[int, Meta(ge=1, le=7)] = 5,
    weeks: Annotated[int, Meta(ge=1, le=520)] = 52,
    switched_off: bool = False,
) -> DeviceEnergy:
    """Estimate the electricity that office devices use, active and on standby.

    Args:
        devices: How many devices.
        active_watts: Power of one in use.
        standby_watts: Power of one on standby, at most active_watts.
        active_hours_a_day: Hours in use on a day of use.
        days_a_week: Days of use a week.
        weeks: How many weeks.
        switched_off: Whether they are cut off from the mains when not in use.
    """
    if standby_watts > active_watts:
        raise invalid("standby_watts", f"expected at most active_watts, {active_watts}, got {standby_watts}")
    hours = active_hours_a_day * days_a_week * weeks
    active = devices * active_watts * hours / 1000
    standby = 0 if switched_off else devices * standby_watts * (168 * weeks - hours) / 1000
    total = active + standby
    return DeviceEnergy(
        active_kwh=round(active, 2),
        standby_kwh=round(standby, 2),
        total_kwh=round(total, 2),
        standby_percent=round(100 * standby / total, 1) if total else 0.0,
    )


class WasteSorted(Result):
    """Where it goes, and whether the waste team fetches it."""

    container: str
    fetched: bool
    pieces_until_fetched: int


@tool(category=Category.GENERAL_DISTRACTOR)
def sort_office_waste(
    bank: Bank,
    item: Annotated[str, Meta(min_length=1, max_length=30)],
    soiled: bool = False,
    pieces: Annotated[int, Meta(ge=1, le=10_000)] = 1,
) -> WasteSorted:
    """Say into which container of the waste room a thing goes by the house's recycling rules.

    Args:
        item: The thing in the singular, such as glass bottle.
        soiled: Whether food, grease or ink sticks to it.
        pieces: How many there are; large amounts are fetched.
    """
    rule = _house().waste.get(item.strip().lower())
    if rule is None:
        known = did_you_mean(item, _house().waste) or f"; the rules know: {', '.join(_house().waste)}"
        raise invalid("item", f"there is no rule for {item!r}{known}")
    left = max(0, rule.fetched_from - pieces)
    return WasteSorted(container=rule.soiled if soiled else rule.clean, fetched=not left, pieces_until_fetched=left)
