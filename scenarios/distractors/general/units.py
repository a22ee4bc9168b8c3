"""Units and notations: measures, temperatures, transfer times, paces, fuel, shoe and paper sizes, numerals, digits."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil, floor
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.general import _notation as notation
from teller_gym.scenarios.distractors.general import _scales as scales
from teller_gym.scenarios.distractors.general._notation import DIGITS
from teller_gym.scenarios.distractors.general._numbers import clock, shown
from teller_gym.scenarios.distractors.general._scales import Economy, FuelUnit, PaceUnit, Scale, ShoeSystem, UnitName
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class ConvertedMeasure(Result):
    """The measure in the new unit and how many of the new units one old unit is."""

    value: float
    factor: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_measure(
    bank: Bank,
    value: Annotated[float, Meta(ge=-1e12, le=1e12)],
    quantity: Literal["length", "area", "volume", "mass", "angle"],
    from_unit: UnitName,
    to_unit: UnitName,
    significant_figures: Annotated[int, Meta(ge=1, le=12)] = 6,
) -> ConvertedMeasure:
    """Convert a length, area, volume, mass or angle between units. Results are rounded to significant figures.

    Args:
        value: The measure; only angles may be negative.
        quantity: What is measured. An ounce of volume is a US fluid ounce, an ounce of mass an avoirdupois one.
        from_unit: The unit the measure is given in.
        to_unit: The unit wanted, of the same quantity.
        significant_figures: How many figures the results are rounded to.
    """
    units = scales.unit_table()[quantity]
    for field, unit in (("from_unit", from_unit), ("to_unit", to_unit)):
        if unit not in units:
            raise invalid(field, f"expected a unit of {quantity} ({', '.join(units)}), got {unit}")
    if value < 0 and quantity != "angle":
        raise invalid("value", f"expected a {quantity} of 0 or more, got {value}")
    factor = units[from_unit] / units[to_unit]
    return ConvertedMeasure(value=shown(value * factor, significant_figures), factor=shown(factor, significant_figures))


class ConvertedTemperature(Result):
    """The temperature or difference on the new scale, and in kelvins."""

    temperature: float
    kelvins: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_temperature(
    bank: Bank, temperature: scales.Degrees, from_scale: Scale, to_scale: Scale, is_difference: bool = False
) -> ConvertedTemperature:
    """Convert a temperature, or a difference of two temperatures, between scales; rounded to four decimals.

    Args:
        temperature: Degrees on the old scale.
        from_scale: The scale they are given on.
        to_scale: The scale wanted.
        is_difference: Whether this is a rise or fall, for which the zero of the scale does not matter.
    """
    (degree, zero), (new_degree, new_zero) = scales.SCALES[from_scale], scales.SCALES[to_scale]
    if is_difference:
        zero = new_zero = Fraction(0)
    kelvins = exact(temperature) * degree + zero
    if kelvins < 0 and not is_difference:
        lowest = f"{float(-zero / degree):g} {from_scale}"
        raise invalid("temperature", f"expected {lowest} (absolute zero) or more, got {temperature}")
    converted = (kelvins - new_zero) / new_degree
    return ConvertedTemperature(temperature=round(float(converted), 4) + 0.0, kelvins=round(float(kelvins), 4) + 0.0)


class TransferTime(Result):
    """How long a transfer takes; ``duration`` is the time in days and h:mm:ss, rounded up to a second."""

    seconds: float
    duration: str
    total_gigabytes: float
    effective_mbit_per_second: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_transfer_time(
    bank: Bank,
    file_size: Annotated[float, Meta(ge=0.001, le=1_000_000)],
    size_unit: Literal["kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"],
    link_speed: Annotated[float, Meta(ge=0.001, le=1_000_000)],
    speed_unit: Literal["kbit/s", "Mbit/s", "Gbit/s", "MB/s", "MiB/s"],
    file_count: Annotated[int, Meta(ge=1, le=1_000_000)] = 1,
    overhead_percent: Annotated[float, Meta(ge=0, le=200)] = 0,
    pause_per_file_s: Annotated[float, Meta(ge=0, le=3600)] = 0,
    parallel_links: Annotated[int, Meta(ge=1, le=64)] = 1,
) -> TransferTime:
    """Estimate how long files take over a network. Whole files are shared out over the links; numbers are rounded to
    six significant figures.

    Args:
        file_size: Size of one file.
        size_unit: Its unit; kB is 1000 bytes, KiB 1024.
        link_speed: Speed of one link.
        speed_unit: Its unit, in bits or bytes a second.
        file_count: How many files of that size are sent.
        overhead_percent: What the protocol adds to the data, in percent.
        pause_per_file_s: Seconds lost at each file.
        parallel_links: How many links send at the same time, each at the full speed.
    """
    size = file_size * scales.BYTES[size_unit]
    one_file = 8 * size * (1 + overhead_percent / 100) / (link_speed * scales.BITS_PER_SECOND[speed_unit])
    seconds = -(-file_count // parallel_links) * (one_file + pause_per_file_s)
    whole = ceil(shown(seconds, 12))
    return TransferTime(
        seconds=shown(seconds),
        duration=f"{whole // 86_400} d {clock(whole % 86_400)}",
        total_gigabytes=shown(size * file_count / 10**9),
        effective_mbit_per_second=shown(8 * size * file_count / seconds / 10**6),
    )


class ConvertedPace(Result):
    """The speed or pace in the new unit; ``finish_time`` is h:mm:ss for the distance, if one was given."""

    value: float
    finish_time: str | None


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_running_pace(
    bank: Bank,
    value: Annotated[float, Meta(ge=0.1, le=1000)],
    from_unit: PaceUnit,
    to_unit: PaceUnit,
    distance: Annotated[float, Meta(ge=0.1, le=1000)] | None = None,
    distance_unit: Literal["km", "miles"] = "km",
) -> ConvertedPace:
    """Convert between speed and pace, and work out the finish time over a distance. Rounded to six significant figures
    and to whole seconds.

    Args:
        value: The speed, or the pace in minutes (5.5 is five minutes and a half).
        from_unit: What the value is.
        to_unit: What is wanted.
        distance: A distance to cover at this speed.
        distance_unit: Unit of the distance.
    """
    speed = value * scales.SPEEDS[from_unit] if from_unit in scales.SPEEDS else scales.PACES[from_unit] / (60 * value)
    converted = speed / scales.SPEEDS[to_unit] if to_unit in scales.SPEEDS else scales.PACES[to_unit] / (60 * speed)
    seconds = None if distance is None else 1000 * distance * scales.KM[distance_unit] / speed
    return ConvertedPace(value=shown(converted), finish_time=None if seconds is None else clock(seconds))


class FuelComparison(Result):
    """Fuel that two vehicles burn over the distance, in the volume unit asked for."""

    fuel_a: float
    fuel_b: float
    fuel_saved: float
    thriftier: Literal["a", "b", "equal"]


@tool(category=Category.GENERAL_DISTRACTOR)
def compare_fuel_economy(
    bank: Bank,
    economy_a: Economy,
    unit_a: FuelUnit,
    economy_b: Economy,
    unit_b: FuelUnit,
    distance: Annotated[float, Meta(ge=0.1, le=1_000_000)],
    distance_unit: Literal["km", "miles"],
    volume_unit: Literal["litre", "us_gallon", "imperial_gallon"] = "litre",
) -> FuelComparison:
    """Compare the fuel two vehicles burn over a distance, whatever unit their economy is stated in; rounded to four
    significant figures.

    Args:
        economy_a: Fuel economy of the first vehicle.
        unit_a: Its unit.
        economy_b: Fuel economy of the second vehicle.
        unit_b: Its unit.
        distance: Distance driven.
        distance_unit: Unit of the distance.
        volume_unit: Unit in which the fuel is reported.
    """
    km = distance * scales.KM[distance_unit]
    litres = [
        km * economy / 100 if unit == "litres_per_100_km" else km / (economy * scales.KM_PER_LITRE[unit])
        for economy, unit in ((economy_a, unit_a), (economy_b, unit_b))
    ]
    a, b = (shown(volume / scales.LITRES[volume_unit], 4) for volume in litres)
    thriftier: Literal["a", "b", "equal"] = "equal" if a == b else "a" if a < b else "b"
    return FuelComparison(fuel_a=a, fuel_b=b, fuel_saved=shown(abs(a - b), 4), thriftier=thriftier)


class ConvertedShoeSize(Result):
    """The size on the new scale and the length of the foot, to a tenth of a millimetre."""

    size: float
    foot_length_mm: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_shoe_size(
    bank: Bank,
    size: Annotated[float, Meta(ge=0.5, le=340)],
    from_system: ShoeSystem,
    to_system: ShoeSystem,
    last_allowance_mm: Annotated[float, Meta(ge=0, le=25)] = 15,
    round_to: Literal["whole", "half", "hundredth"] = "half",
) -> ConvertedShoeSize:
    """Convert adult shoe sizes by the definitions of the scales: Paris points (EU) and thirds of an inch (UK, US) of
    the last, or the length of the foot (Mondopoint, Japan). Makers' own tables may differ by half a size.

    Args:
        size: Size on the old scale.
        from_system: The old scale.
        to_system: The new scale.
        last_allowance_mm: How much longer than the foot the last is, in millimetres.
        round_to: To which step the new size is rounded, halves up.
    """
    step, offset, of_last = scales.SHOE_SCALES[from_system]
    foot = (size + offset) * step - of_last * last_allowance_mm
    if not scales.SHORTEST_FOOT <= foot <= scales.LONGEST_FOOT:
        raise invalid("size", f"expected an adult's foot, 215 to 340 mm, got {from_system} {size:g} for {foot:.1f} mm")
    new_step, new_offset, of_last = scales.SHOE_SCALES[to_system]
    converted = (foot + of_last * last_allowance_mm) / new_step - new_offset
    steps = {"whole": 1, "half": 2, "hundredth": 100}[round_to]
    return ConvertedShoeSize(size=floor(shown(converted * steps, 9) + 0.5) / steps, foot_length_mm=round(foot, 1))


class SheetLayout(Result):
    """Sizes of a sheet in millimetres, and the weight of the stack in grams; two decimals."""

    sheet_width_mm: int
    sheet_height_mm: int
    text_width_mm: float
    text_height_mm: float
    column_width_mm: float
    stack_weight_g: float


@tool(category=Category.GENERAL_DISTRACTOR)
def lay_out_paper_sheet(
    bank: Bank,
    series: Literal["A", "B", "C"],
    number: Annotated[int, Meta(ge=0, le=10)],
    orientation: Literal["portrait", "landscape"] = "portrait",
    margin_mm: Annotated[float, Meta(ge=0, le=200)] = 20,
    column_count: Annotated[int, Meta(ge=1, le=12)] = 1,
    gutter_mm: Annotated[float, Meta(ge=0, le=50)] = 5,
    sheet_count: Annotated[int, Meta(ge=1, le=100_000)] = 1,
    grams_per_m2: Annotated[int, Meta(ge=30, le=600)] = 80,
) -> SheetLayout:
    """Look up an ISO 216/269 paper size and lay out its page: sheet, text area, column width, and what a stack weighs.

    Args:
        series: The ISO series.
        number: Number in the series, such as 4 for A4.
        orientation: Which side is up.
        margin_mm: Margin on each side.
        column_count: Columns of text.
        gutter_mm: Space between two columns.
        sheet_count: Sheets in the stack.
        grams_per_m2: Weight of the paper.
    """
    width, height = scales.SIZE_ZERO_MM[series]
    for _ in range(number):
        width, height = height // 2, width
    if orientation == "landscape":
        width, height = height, width
    text_width, text_height = width - 2 * margin_mm, height - 2 * margin_mm
    if min(text_width, text_height) < 1:
        raise invalid("margin_mm", f"expected room between the margins of {width} x {height} mm, got {margin_mm}")
    column = (text_width - (column_count - 1) * gutter_mm) / column_count
    if column < 1:
        raise invalid("column_count", f"expected columns at least 1 mm wide, got {column_count} in {text_width:g} mm")
    return SheetLayout(
        sheet_width_mm=width,
        sheet_height_mm=height,
        text_width_mm=round(text_width, 2),
        text_height_mm=round(text_height, 2),
        column_width_mm=round(column, 2),
        stack_weight_g=round(width * height * grams_per_m2 * sheet_count / 1_000_000, 2),
    )


class RomanNumeral(Result):
    """The same number in both notations."""

    number: int
    roman: str


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_roman_numeral(bank: Bank, numeral: Annotated[str, Meta(pattern="^[0-9IVXLCDM]{1,15}$")]) -> RomanNumeral:
    """Convert a number from 1 to 3999 from Arabic digits to a Roman numeral or back; only the standard spelling counts.

    Args:
        numeral: Either digits, such as 1984, or a Roman numeral in capitals, such as MCMLXXXIV.
    """
    text = numeral.strip()
    number = int(text) if text.isdecimal() else notation.from_roman(text)
    if number is None or not 1 <= number <= 3999:
        raise invalid("numeral", f"expected a number from 1 to 3999, in digits or as a standard Roman one, got {text}")
    return RomanNumeral(number=number, roman=notation.to_roman(number))


class SignificantFigures(Result):
    """The rounded number written out and in scientific notation, and how many figures the given number had."""

    rounded: str
    scientific: str
    figures_given: int


@tool(category=Category.GENERAL_DISTRACTOR)
def round_significant_figures(
    bank: Bank,
    number: Annotated[str, Meta(pattern="^[0-9.eE+-]{1,24}$")],
    figures: Annotated[int, Meta(ge=1, le=12)],
    rounding: Literal["half_up", "half_even", "down"] = "half_up",
) -> SignificantFigures:
    """Round a measured number to significant figures, keeping trailing zeros, and count the figures it was given with.
    Zeros at the end of a whole number without a decimal point are not counted.

    Args:
        number: The number as written, such as 0.04050 or 6.02e23.
        figures: How many significant figures to keep.
        rounding: What happens to the rest.
    """
    try:
        value = Decimal(number)
    except InvalidOperation:
        raise invalid("number", f"expected a decimal number such as 0.04050 or 6.02e23, got {number}") from None
    if value == 0 or abs(value.adjusted()) > scales.LARGEST_EXPONENT:
        raise invalid("number", f"expected at least 1e-30 and less than 1e31, either sign, got {number}")
    rounded = notation.round_figures(value, figures, rounding)
    return SignificantFigures(
        rounded=f"{rounded:f}", scientific=f"{rounded:.{figures - 1}e}", figures_given=notation.count_figures(number)
    )


class ConvertedNumber(Result):
    """The digits in the new base, the value in decimal digits, and the bits that its size needs."""

    converted: str
    decimal: str
    bits_needed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_number_base(
    bank: Bank,
    digits: Annotated[str, Meta(pattern="^[0-9A-Za-z-]{1,48}$")],
    from_base: Annotated[int, Meta(ge=2, le=36)],
    to_base: Annotated[int, Meta(ge=2, le=36)],
    word_bits: Literal[8, 16, 32, 64] | None = None,
    pad_to: Annotated[int, Meta(ge=0, le=64)] = 0,
    group_every: Annotated[int, Meta(ge=0, le=16)] = 0,
    upper_case: bool = False,
) -> ConvertedNumber:
    """Convert a whole number between bases 2 to 36, also as a machine word in two's complement.

    Args:
        digits: The number, with a minus sign in front if it is negative.
        from_base: Its base.
        to_base: The base wanted.
        word_bits: Width of a machine word; a negative number is then shown in two's complement, not with a minus sign.
        pad_to: Fill up with zeros to this many digits.
        group_every: Put a space after every so many digits, counted from the right; 0 for none.
        upper_case: Whether digits above 9 are capitals.
    """
    text = digits.strip().lower()
    body = text.removeprefix("-")
    if not body or not all(0 <= DIGITS.find(sign) < from_base for sign in body):
        raise invalid("digits", f"expected digits of base {from_base} ({DIGITS[:from_base]}), got {text}")
    value = number = int(body, from_base) * (1 if text == body else -1)
    if word_bits is not None:
        if not -(2 ** (word_bits - 1)) <= number < 2**word_bits:
            raise invalid("word_bits", f"expected a number that fits into {word_bits} bits, got {number}")
        value = number % 2**word_bits
    written = notation.in_groups(notation.write_in_base(abs(value), to_base).rjust(pad_to, "0"), group_every)
    return ConvertedNumber(
        converted=("-" if value < 0 else "") + (written.upper() if upper_case else written),
        decimal=str(number),
        bits_needed=max(1, abs(value).bit_length()),
    )
