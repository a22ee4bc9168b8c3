"""Natural science: elements, formulas, solutions, decay, weather as it feels, throws, resistors."""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _physics as physics
from teller_gym.scenarios.distractors.general._elements import find_element, masses_in_mole
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Formula = Annotated[str, Meta(pattern="^[A-Za-z0-9().]{1,60}$")]
Name = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,24}$")]
Concentration = Annotated[float, Meta(ge=0.000001, le=1000)]
ConcentrationUnit = Literal["mol_per_l", "mmol_per_l", "g_per_l", "percent_w_v"]
_DILUTIONS = "misc_dilutions"


class ElementFacts(Result):
    """Facts of an element; the weight is null without stable isotopes, the group for lanthanides and actinides."""

    symbol: str
    name: str
    number: int
    weight: float | None
    period: int
    group: int | None
    state: str


@tool(category=Category.GENERAL_DISTRACTOR)
def look_up_element(bank: Bank, element: Annotated[str, Meta(pattern="^[A-Za-z0-9]{1,12}$")]) -> ElementFacts:
    """Look up a chemical element from hydrogen to uranium: weight, place in the periodic table, state at 20 °C.

    Args:
        element: Symbol, English name or atomic number, such as Fe, iron or 26.
    """
    e = find_element(element)
    if e is None:
        raise invalid("element", f"expected a symbol, name or number of the elements 1 to 92, got {element.strip()}")
    return ElementFacts(
        symbol=e.symbol, name=e.name, number=e.number, weight=e.weight, period=e.period, group=e.group, state=e.state
    )


class MolarMass(Result):
    """Grams per mole, the amount in both units (six significant figures), and each element's share of the mass."""

    molar_mass: float
    grams: float
    moles: float
    mass_percent: dict[str, float]


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_molar_mass(
    bank: Bank,
    formula: Formula,
    amount: Annotated[float, Meta(ge=0, le=1_000_000)] = 1,
    amount_unit: Literal["moles", "grams"] = "moles",
) -> MolarMass:
    """Calculate the molar mass and composition of a compound, and convert an amount of it between grams and moles.

    Args:
        formula: Its formula, such as H2O, Ca(OH)2 or CuSO4.5H2O.
        amount: How much of it there is.
        amount_unit: Unit of the amount.
    """
    masses = masses_in_mole(formula, "formula")
    total = sum(masses.values())
    return MolarMass(
        molar_mass=shown(total),
        grams=shown(amount if amount_unit == "grams" else amount * total),
        moles=shown(amount if amount_unit == "moles" else amount / total),
        mass_percent={symbol: round(100 * mass / total, 2) for symbol, mass in masses.items()},
    )


class SolutionAcidity(Result):
    """pH and pOH at 25 °C to two decimals, and the percentage of the solute that is ionised to four figures."""

    ph: float
    poh: float
    ionised_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_solution_ph(
    bank: Bank,
    solute: physics.Solute,
    concentration_mol_l: Annotated[float, Meta(ge=0.000000001, le=10)],
    constant: Annotated[float, Meta(ge=0, le=14)] | None = None,
    ions_per_molecule: Annotated[int, Meta(ge=1, le=3)] = 1,
) -> SolutionAcidity:
    """Calculate the pH of an acid or base in water at 25 °C, the water's own ions included.

    Args:
        solute: What is dissolved; strong means wholly dissociated.
        concentration_mol_l: Moles of it in a litre.
        constant: pKa of a weak acid or pKb of a weak base; none for a strong one.
        ions_per_molecule: H+ or OH- that a strong acid or base gives off per molecule; of a weak one just 1 counts.
    """
    weak = solute.startswith("weak")
    if weak == (constant is None):
        raise invalid("constant", f"expected {'a pKa or pKb' if weak else 'none'} for a {solute}, got {constant}")
    if weak and ions_per_molecule > 1:
        raise invalid("ions_per_molecule", f"expected 1 for a {solute}, got {ions_per_molecule}")
    ph, share = physics.acidity(solute, concentration_mol_l * ions_per_molecule, constant)
    return SolutionAcidity(ph=round(ph, 2) + 0.0, poh=round(14 - ph, 2) + 0.0, ionised_percent=shown(100 * share, 4))


class DecayState(Result):
    """What is left, in the unit of the amount, and how many half-lives have gone by; six significant figures."""

    remaining: float
    remaining_percent: float
    half_lives: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_radioactive_decay(
    bank: Bank,
    amount: Annotated[float, Meta(ge=0, le=1_000_000_000)],
    half_life: Annotated[float, Meta(ge=0.001, le=10_000_000_000)],
    half_life_unit: physics.TimeUnit,
    elapsed: Annotated[float, Meta(ge=0, le=10_000_000_000)],
    elapsed_unit: physics.TimeUnit,
) -> DecayState:
    """Calculate how much of a radioactive substance is left after some time, from its half-life.

    Args:
        amount: Amount at the start, in any unit.
        half_life: Time in which half of it decays.
        half_life_unit: Unit of the half-life; a year has 365.25 days.
        elapsed: Time gone by.
        elapsed_unit: Unit of the time gone by.
    """
    passed = elapsed * physics.SECONDS[elapsed_unit] / (half_life * physics.SECONDS[half_life_unit])
    left = 0.5**passed
    return DecayState(remaining=shown(amount * left), remaining_percent=shown(100 * left), half_lives=shown(passed))


class FeltTemperature(Result):
    """The temperature as it feels in the unit given, to one decimal, and which formula applied."""

    felt_temperature: float
    felt_by: physics.FeltBy


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_felt_temperature(
    bank: Bank,
    temperature: Annotated[float, Meta(ge=-60, le=125)],
    temperature_unit: Literal["celsius", "fahrenheit"],
    wind_speed: Annotated[float, Meta(ge=0, le=200)],
    wind_unit: physics.SpeedUnit,
    humidity_percent: Annotated[float, Meta(ge=0, le=100)] = 50,
) -> FeltTemperature:
    """Calculate how warm the air feels: wind chill in the cold, heat index in the heat, else the air temperature.

    Args:
        temperature: Air temperature.
        temperature_unit: Its unit, also of the answer.
        wind_speed: Wind speed; it matters at 10 degrees Celsius or less.
        wind_unit: Unit of the wind speed.
        humidity_percent: Relative humidity; it matters in the heat.
    """
    in_celsius = temperature_unit == "celsius"
    celsius = temperature if in_celsius else (temperature - 32) / 1.8
    felt, felt_by = physics.felt_celsius(celsius, wind_speed * physics.SPEEDS[wind_unit], humidity_percent)
    if celsius > 52 or felt > 65:
        raise invalid("temperature", f"expected weather that occurs on earth, got {celsius:.1f} C felt as {felt:.1f} C")
    shown_felt = round(felt if in_celsius else felt * 1.8 + 32, 1) + 0.0
    return FeltTemperature(felt_temperature=shown_felt, felt_by=felt_by)


class Dilution(Result):
    """What to pour together for the volume wanted, four significant figures."""

    dilution_id: str
    stock_ml: float
    solvent_ml: float
    dilution_factor: float


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def prepare_dilution(
    bank: Bank,
    batch: Name,
    solute: Formula,
    stock_concentration: Concentration,
    stock_unit: ConcentrationUnit,
    target_concentration: Concentration,
    target_unit: ConcentrationUnit,
    final_volume_ml: Annotated[float, Meta(ge=0.01, le=1_000_000)],
    spare_percent: Annotated[float, Meta(ge=0, le=100)] = 0,
) -> Dilution:
    """Work out a dilution of a stock solution and enter it in the laboratory book, in place of the same batch before.

    Args:
        batch: Name of the batch.
        solute: Formula of what is dissolved, such as NaCl.
        stock_concentration: Concentration of the stock solution.
        stock_unit: Its unit; 1 percent w/v is 1 gram in 100 ml.
        target_concentration: Concentration wanted.
        target_unit: Its unit.
        final_volume_ml: Volume wanted in millilitres.
        spare_percent: Volume to prepare beyond that, in percent.
    """
    name, formula = batch.strip(), solute.strip()
    grams_per_mole = sum(masses_in_mole(formula, "solute").values())
    factors = {"mol_per_l": grams_per_mole, "mmol_per_l": grams_per_mole / 1000, "g_per_l": 1.0, "percent_w_v": 10.0}
    stock, target = stock_concentration * factors[stock_unit], target_concentration * factors[target_unit]
    if target > stock * (1 + 1e-12):
        most = f"{shown(stock / factors[target_unit])} {target_unit}"
        raise invalid("target_concentration", f"expected at most the stock's {most}, got {target_concentration}")
    volume = final_volume_ml * (1 + spare_percent / 100)
    key = bank.reference("DIL", name, formula)
    stock_ml = shown(volume * target / stock, 4)
    bank.put(_DILUTIONS, key, {"owner": "misc", "batch": name, "solute": formula, "stock_ml": stock_ml})
    solvent_ml, factor = shown(volume * max(0.0, 1 - target / stock), 4), shown(stock / target, 4)
    return Dilution(dilution_id=key, stock_ml=stock_ml, solvent_ml=solvent_ml, dilution_factor=factor)


class DilutionList(Result):
    """Batches of the laboratory book with their ids, the first twenty in order of entry, and the stock used in ml."""

    entries: list[str]
    batch_count: int
    total_stock_ml: float


@tool(category=Category.GENERAL_DISTRACTOR)
def list_dilutions(bank: Bank, solute: Formula | None = None, batch: Name | None = None) -> DilutionList:
    """List the dilutions entered in the laboratory book, and add up the stock solution they used.

    Args:
        solute: Show just those of this formula.
        batch: Show just those of this batch.
    """
    formula, name = solute and solute.strip(), batch and batch.strip()
    rows = [(key, row) for key, row in bank.rows(_DILUTIONS) if row["solute"] == (formula or row["solute"])]
    rows = [(key, row) for key, row in rows if row["batch"] == (name or row["batch"])]
    entries = [f"{key}: {row['batch']}, {row['solute']}, {row['stock_ml']:g} ml of stock" for key, row in rows[:20]]
    total = shown(sum(row["stock_ml"] for _, row in rows))
    return DilutionList(entries=entries, batch_count=len(rows), total_stock_ml=total)


class ProjectileFlight(Result):
    """A throw without air resistance, to three decimals; clearance is the height above the obstacle's top."""

    flight_time_s: float
    range_m: float
    highest_point_m: float
    impact_speed_m_s: float
    clearance_m: float | None


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_projectile_flight(
    bank: Bank,
    launch_speed: Annotated[float, Meta(ge=0.1, le=1000)],
    speed_unit: physics.SpeedUnit,
    elevation_degrees: Annotated[float, Meta(ge=0, le=90)],
    launch_height_m: Annotated[float, Meta(ge=0, le=10_000)] = 0,
    place: Literal["earth", "moon", "mars", "venus"] = "earth",
    obstacle_distance_m: Annotated[float, Meta(ge=0, le=1_000_000)] | None = None,
    obstacle_height_m: Annotated[float, Meta(ge=0, le=10_000)] = 0,
) -> ProjectileFlight:
    """Calculate the flight of something thrown over level ground, and whether it clears an obstacle on its way.

    Args:
        launch_speed: Speed at the start.
        speed_unit: Unit of the speed.
        elevation_degrees: Angle above the horizontal.
        launch_height_m: Height of the start above the ground.
        place: Whose gravity acts.
        obstacle_distance_m: How far from the start an obstacle stands.
        obstacle_height_m: How high the obstacle is.
    """
    speed, gravity = launch_speed * physics.SPEEDS[speed_unit], physics.GRAVITY[place]
    seconds, reach, top = physics.flight(speed, elevation_degrees, launch_height_m, gravity)
    clearance = None
    if obstacle_distance_m is not None:
        if obstacle_distance_m > reach:
            raise invalid("obstacle_distance_m", f"expected at most {reach:.3f} (landing), got {obstacle_distance_m}")
        height = physics.height_at(obstacle_distance_m, speed, elevation_degrees, launch_height_m, gravity)
        clearance = round(height - obstacle_height_m, 3) + 0.0
    return ProjectileFlight(
        flight_time_s=round(seconds, 3),
        range_m=round(reach, 3),
        highest_point_m=round(top, 3),
        impact_speed_m_s=round(sqrt(speed * speed + 2 * gravity * launch_height_m), 3),
        clearance_m=clearance,
    )


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
