"""Travel costs of employees."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial.taxes_and_payroll import _payroll_sums as sums
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_sums import share
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_types import Rate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

_LONGEST_TRIP = 62
_MEAL_PERCENT = {"breakfast": 20, "lunch": 30, "dinner": 50}
_KM_PER_MILE = Fraction(1_609_344, 1_000_000)
Meal = Literal["breakfast", "lunch", "dinner"]


class TravelAllowance(Result):
    """The allowance of the whole trip."""

    travel_days: int
    paid_nights: int
    meals_before_reduction: Money
    meal_reduction: Money
    lodging: Money
    total_allowance: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def work_out_travel_allowance(
    bank: Bank,
    first_day: date,
    last_day: date,
    daily_meal_rate: Annotated[float, Meta(ge=0, le=1000, extra={"unit": "usd"})],
    nightly_lodging_rate: Annotated[float, Meta(ge=0, le=5000, extra={"unit": "usd"})],
    edge_day_percent: Rate = 75,
    free_nights: Annotated[int, Meta(ge=0, le=61)] = 0,
    meals_provided: Annotated[list[Meal], Meta(max_length=50)] | None = None,
) -> TravelAllowance:
    """Work out the per-diem allowance of a business trip: meals by the day, lodging by the night, less meals that
    others paid for (a breakfast is 20, a lunch 30, a dinner 50 percent of the daily rate).

    Args:
        first_day: Day of departure.
        last_day: Day of return, at most 62 days in all.
        daily_meal_rate: Meal allowance of a full day, in dollars.
        nightly_lodging_rate: Lodging allowance of a night, in dollars.
        edge_day_percent: Part of the meal allowance that is paid for the first and for the last day.
        free_nights: Nights for which no lodging is paid, as with friends.
        meals_provided: Meals that others paid for, one entry for each.
    """
    days = (last_day - first_day).days + 1
    if not 1 <= days <= _LONGEST_TRIP:
        raise invalid("last_day", f"expected a trip of 1 to {_LONGEST_TRIP} days from {first_day}, got {last_day}")
    if free_nights > days - 1:
        raise invalid("free_nights", f"expected at most the {days - 1} nights of the trip, got {free_nights}")
    meals = Counter(meals_provided or ())
    if any(count > days for count in meals.values()):
        raise invalid("meals_provided", f"expected at most {days} of a kind, one a day, got {dict(meals)}")
    reduction = Fraction(sum(_MEAL_PERCENT[meal] * count for meal, count in meals.items()), 100)
    edges = min(days, 2)
    rate = to_cents(daily_meal_rate)
    meals_in_full = round_half_up(rate * (days - edges + edges * share(edge_day_percent)))
    reduced = min(meals_in_full, round_half_up(rate * reduction))
    lodging = to_cents(nightly_lodging_rate) * (days - 1 - free_nights)
    return TravelAllowance(
        travel_days=days,
        paid_nights=days - 1 - free_nights,
        meals_before_reduction=usd(meals_in_full),
        meal_reduction=usd(reduced),
        lodging=usd(lodging),
        total_allowance=usd(meals_in_full - reduced + lodging),
    )


Distance = Annotated[float, Meta(ge=0, le=5000)]


class MileageClaim(Result):
    """The claim; ``claimed_miles`` has two decimals."""

    claimed_miles: float
    mileage_amount: Money
    total_amount: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def reimburse_mileage(
    bank: Bank,
    trip_distances: Annotated[list[Distance], Meta(min_length=1, max_length=31)],
    distance_unit: Literal["mile", "kilometer"],
    rate_per_mile: Annotated[float, Meta(ge=0, le=5)],
    round_trips: bool = False,
    usual_commute: Distance = 0,
    tolls_and_parking: Money = 0,
) -> MileageClaim:
    """Work out what an employee gets back for trips in the own car, less the usual commute; money to cents, halves up.

    Args:
        trip_distances: One-way distance of each trip.
        distance_unit: Unit of the distances and of the commute.
        rate_per_mile: Dollars for a mile.
        round_trips: Whether every distance was driven there and back.
        usual_commute: One-way distance that is taken off each way of every trip, down to zero.
        tolls_and_parking: Receipts that are paid in full, in dollars.
    """
    ways = [max(Fraction(0), exact(way) - exact(usual_commute)) for way in trip_distances]
    miles = sums.total(ways) * (2 if round_trips else 1) / (1 if distance_unit == "mile" else _KM_PER_MILE)
    amount = round_half_up(miles * exact(rate_per_mile) * 100)
    whole = amount + to_cents(tolls_and_parking)
    return MileageClaim(claimed_miles=sums.rounded(miles, 2), mileage_amount=usd(amount), total_amount=usd(whole))
