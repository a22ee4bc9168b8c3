"""The work behind the tools beside it: colours in other models, and QR codes."""

from __future__ import annotations

import colorsys
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import refuse
from teller_gym.scenarios.distractors.general.encoding._encoding_work import tables

QrMode = Literal["numeric", "alphanumeric", "byte"]
ColorModel = Literal["rgb", "hsl", "hsv", "cmyk"]
COLOR_RANGES: dict[ColorModel, tuple[int, ...]] = {
    "rgb": (255, 255, 255),
    "hsl": (360, 100, 100),
    "hsv": (360, 100, 100),
    "cmyk": (100, 100, 100, 100),
}


def _check_color(model: ColorModel, values: list[float]) -> None:
    """Raise an error unless the values suit the model."""
    names = ("first", "second", "third", "fourth")
    limits = COLOR_RANGES[model]
    if len(values) != len(limits):
        wanted = "a value for black" if model == "cmyk" else f"no fourth value for {model}"
        raise refuse("fourth", f"expected {wanted}, got {values[3] if len(values) > 3 else 'none'}")
    for name, value, limit in zip(names, values, limits, strict=False):
        if value > limit:
            raise refuse(name, f"expected 0 to {limit} in {model}, got {value}")


def to_rgb(model: ColorModel, values: list[float]) -> tuple[float, float, float]:
    """Return red, green and blue from 0 to 1; refuse values outside the ranges of the model."""
    _check_color(model, values)
    parts = [value / limit for value, limit in zip(values, COLOR_RANGES[model], strict=True)]
    if model == "cmyk":
        *inks, black = parts
        red, green, blue = ((1 - ink) * (1 - black) for ink in inks)
        return red, green, blue
    first, second, third = parts
    if model == "hsl":
        return colorsys.hls_to_rgb(first % 1, third, second)
    return colorsys.hsv_to_rgb(first % 1, second, third) if model == "hsv" else (first, second, third)


def from_rgb(model: ColorModel, red: float, green: float, blue: float) -> list[float]:
    """Return the values of a colour in the ranges of a model; black has no other ink, a grey has hue 0."""
    if model == "cmyk":
        light = max(red, green, blue)
        inks = [(light - part) / light if light else 0.0 for part in (red, green, blue)]
        parts = [*inks, 1 - light]
    elif model == "hsl":
        hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
        parts = [hue, saturation, lightness]
    else:
        parts = list(colorsys.rgb_to_hsv(red, green, blue) if model == "hsv" else (red, green, blue))
    return [min(1.0, max(0.0, part)) * limit for part, limit in zip(parts, COLOR_RANGES[model], strict=True)]


def luminance(red: float, green: float, blue: float) -> float:
    """Return the relative luminance of an sRGB colour, 0 for black to 1 for white (WCAG 2)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def qr_capacity(version: int, mode: QrMode, level: str) -> int:
    """Return how many characters of a mode fit into one QR code."""
    size_class = 0 if version <= 9 else 1 if version <= 26 else 2
    count_bits = {"numeric": (10, 12, 14), "alphanumeric": (9, 11, 13), "byte": (8, 16, 16)}[mode][size_class]
    bits = 8 * tables().qr_codewords[level][version - 1] - 4 - count_bits
    if mode == "numeric":
        return 3 * (bits // 10) + (2 if bits % 10 >= 7 else 1 if bits % 10 >= 4 else 0)
    return 2 * (bits // 11) + (bits % 11 >= 6) if mode == "alphanumeric" else bits // 8


def smallest_qr(characters: int, mode: QrMode, level: str, first: int) -> tuple[int, int]:
    """Return version and capacity of the smallest code that holds so many characters."""
    capacity = 0
    for version in range(first, 41):
        capacity = qr_capacity(version, mode, level)
        if capacity >= characters:
            return version, capacity
    raise refuse("characters", f"expected at most {capacity} in {mode} mode at level {level}, got {characters}")
