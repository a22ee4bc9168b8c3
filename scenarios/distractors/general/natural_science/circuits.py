"""Resistors."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.scenarios.distractors.general.natural_science import _physics as physics
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class CircuitValues(Result):
    """Values at the resistors, to six significant figures; ``within_rating`` is null if no rating was given."""

    total_ohm: float
    current_a: float
    voltage_v: float
    power_w: float
    hottest_resistor_w: float
    energy_wh: float
    within_rating: bool | None


@tool(category=Category.GENERAL_DISTRACTOR)
def solve_resistor_circuit(
    bank: Bank,
    resistances_ohm: Annotated[list[Annotated[float, Meta(ge=0.001, le=1e9)]], Meta(min_length=1, max_length=20)],
    arrangement: Literal["series", "parallel"],
    supply: Literal["source_voltage", "current"],
    supply_value: Annotated[float, Meta(ge=0, le=1_000_000)],
    internal_resistance_ohm: Annotated[float, Meta(ge=0, le=1_000_000)] = 0,
    rating_w: Annotated[float, Meta(ge=0.001, le=1_000_000)] | None = None,
    minutes_on: Annotated[float, Meta(ge=0, le=1_000_000)] = 60,
) -> CircuitValues:
    """Solve a circuit of resistors in series or in parallel by Ohm's law: current, voltage, power, energy.

    Args:
        resistances_ohm: The resistors.
        arrangement: Whether they are connected in series or in parallel.
        supply: Whether the voltage of the source or the current is known.
        supply_value: That voltage in volts or current in amperes.
        internal_resistance_ohm: Internal resistance of a voltage source, in series with all of them.
        rating_w: Power that each resistor bears.
        minutes_on: For how long the circuit is on.
    """
    series = arrangement == "series"
    total = sum(resistances_ohm) if series else 1 / sum(1 / ohm for ohm in resistances_ohm)
    current = supply_value if supply == "current" else supply_value / (total + internal_resistance_ohm)
    voltage = current * total
    hottest = current**2 * max(resistances_ohm) if series else voltage**2 / min(resistances_ohm)
    return CircuitValues(
        total_ohm=shown(total),
        current_a=shown(current),
        voltage_v=shown(voltage),
        power_w=shown(voltage * current),
        hottest_resistor_w=shown(hottest),
        energy_wh=shown(voltage * current * minutes_on / 60),
        within_rating=None if rating_w is None else shown(hottest, 12) <= rating_w,
    )


class ResistorValue(Result):
    """Nominal resistance and its limits in ohms; ``in_tolerance`` is null without a measurement. Six figures."""

    ohms: float
    tolerance_percent: float
    lowest_ohms: float
    highest_ohms: float
    ppm_per_kelvin: int | None
    in_tolerance: bool | None


@tool(category=Category.GENERAL_DISTRACTOR)
def read_resistor_bands(
    bank: Bank,
    first_digit: physics.Digit,
    second_digit: physics.Digit,
    multiplier: physics.Multiplier,
    tolerance: physics.Tolerance,
    third_digit: physics.Digit | None = None,
    temperature_coefficient: physics.Coefficient | None = None,
    measured_ohms: Annotated[float, Meta(ge=0, le=1e12)] | None = None,
) -> ResistorValue:
    """Read the colour bands of a resistor with three to six bands, and check a measured value against its tolerance.

    Args:
        first_digit: Colour of the first band.
        second_digit: Colour of the second band.
        multiplier: Colour of the multiplier band, after the digits.
        tolerance: Colour of the tolerance band; none if there is no such band.
        third_digit: Colour of the third digit's band, on resistors with five or six bands.
        temperature_coefficient: Colour of the sixth band.
        measured_ohms: A measured resistance.
    """
    if first_digit == "black":
        raise invalid("first_digit", "expected any colour but black, got black; read the bands from the other end")
    if temperature_coefficient is not None and third_digit is None:
        raise invalid("temperature_coefficient", f"expected none without a third digit, got {temperature_coefficient}")
    ohms = physics.band_ohms([first_digit, second_digit, third_digit], multiplier)
    percent = physics.TOLERANCES[tolerance]
    low, high = shown(ohms * (1 - percent / 100)), shown(ohms * (1 + percent / 100))
    return ResistorValue(
        ohms=shown(ohms),
        tolerance_percent=percent,
        lowest_ohms=low,
        highest_ohms=high,
        ppm_per_kelvin=physics.PPM_PER_KELVIN.get(temperature_coefficient or ""),
        in_tolerance=None if measured_ohms is None else low <= measured_ohms <= high,
    )
