"""Colours in other models, and QR codes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general.encoding import _pictures as work
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class ConvertedColor(Result):
    """The colour; values are rounded as asked, in the order of the model's letters, luminance to three decimals."""

    values: list[float]
    hex_code: str
    luminance: float
    text_on_it: Literal["black", "white"]


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_color_model(
    bank: Bank,
    source_model: work.ColorModel,
    first: Annotated[float, Meta(ge=0, le=360)],
    second: Annotated[float, Meta(ge=0, le=255)],
    third: Annotated[float, Meta(ge=0, le=255)],
    target_model: work.ColorModel,
    fourth: Annotated[float, Meta(ge=0, le=100)] | None = None,
    decimals: Annotated[int, Meta(ge=0, le=3)] = 1,
) -> ConvertedColor:
    """Convert a colour between RGB, HSL, HSV and CMYK, and tell which colour of text can be read on it.

    Args:
        source_model: The model of the given values: rgb 0 to 255, hues 0 to 360, everything else in percent.
        first: Red, hue or cyan.
        second: Green, saturation or magenta.
        third: Blue, lightness, value or yellow.
        target_model: The model wanted.
        fourth: Black, for cmyk alone.
        decimals: Decimals of the values.
    """
    rgb = work.to_rgb(source_model, [first, second, third] + ([] if fourth is None else [fourth]))
    light = work.luminance(*rgb)
    return ConvertedColor(
        values=[round(value, decimals) for value in work.from_rgb(target_model, *rgb)],
        hex_code="#" + "".join(f"{round(part * 255):02X}" for part in rgb),
        luminance=round(light, 3),
        # Contrast with white and with black is the same at this luminance.
        text_on_it="black" if light > 0.179 else "white",
    )


class QrCodeFit(Result):
    """The smallest code that fits; the side is in millimetres with its quiet zone, rounded to two decimals."""

    version: int
    modules_per_side: int
    capacity: int
    spare_characters: int
    side_millimetres: float


@tool(category=Category.GENERAL_DISTRACTOR)
def fit_qr_code(
    bank: Bank,
    characters: Annotated[int, Meta(ge=1, le=7089)],
    mode: work.QrMode,
    error_correction: Literal["L", "M", "Q", "H"] = "M",
    smallest_version: Annotated[int, Meta(ge=1, le=40)] = 1,
    module_millimetres: Annotated[float, Meta(ge=0.1, le=50)] = 0.5,
    quiet_zone_modules: Annotated[int, Meta(ge=0, le=20)] = 4,
) -> QrCodeFit:
    """Find the smallest QR code that holds a number of characters, and how large it is in print.

    Args:
        characters: How many characters; bytes in byte mode.
        mode: Digits alone, digits with capitals and a few signs, or anything.
        error_correction: How much of the code may be damaged, from L (about 7 %) to H (about 30 %).
        smallest_version: The version to begin with.
        module_millimetres: Side of one small square in print.
        quiet_zone_modules: Empty squares around the code.
    """
    version, capacity = work.smallest_qr(characters, mode, error_correction, smallest_version)
    side = 17 + 4 * version
    return QrCodeFit(
        version=version,
        modules_per_side=side,
        capacity=capacity,
        spare_characters=capacity - characters,
        side_millimetres=round((side + 2 * quiet_zone_modules) * module_millimetres, 2),
    )
