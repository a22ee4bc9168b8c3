"""Tests of encoding/pictures: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused


@pytest.mark.parametrize(
    ("given_values", "target", "values", "hex_code"),
    [
        ({"source_model": "rgb", "first": 255, "second": 0, "third": 0}, "hsl", [0, 100, 50], "#FF0000"),
        ({"source_model": "hsl", "first": 120, "second": 100, "third": 25}, "rgb", [0, 127.5, 0], "#008000"),
        ({"source_model": "hsv", "first": 360, "second": 50, "third": 100}, "rgb", [255, 127.5, 127.5], "#FF8080"),
        ({"source_model": "rgb", "first": 0, "second": 0, "third": 0}, "cmyk", [0, 0, 0, 100], "#000000"),
        ({"source_model": "rgb", "first": 0, "second": 51, "third": 255}, "cmyk", [100, 80, 0, 0], "#0033FF"),
        (
            {"source_model": "cmyk", "first": 0, "second": 100, "third": 50, "fourth": 20},
            "rgb",
            [204, 0, 102],
            "#CC0066",
        ),
    ],
)
def test_colours(given_values: dict[str, Any], target: str, values: list[float], hex_code: str) -> None:
    found = call("convert_color_model", **given_values, target_model=target)
    assert (found["values"], found["hex_code"]) == (values, hex_code)


def test_luminance_and_refused_colours() -> None:
    white = call("convert_color_model", source_model="hsl", first=0, second=0, third=100, target_model="rgb")
    assert (white["luminance"], white["text_on_it"]) == (1, "black")
    green = call(
        "convert_color_model", source_model="rgb", first=0, second=255, third=0, target_model="rgb", decimals=0
    )
    assert green["luminance"] == 0.715
    blue = call("convert_color_model", source_model="rgb", first=0, second=0, third=255, target_model="rgb")
    assert (blue["luminance"], blue["text_on_it"]) == (0.072, "white")
    refused("first", "convert_color_model", source_model="rgb", first=256, second=0, third=0, target_model="hsl")
    refused("fourth", "convert_color_model", source_model="cmyk", first=0, second=0, third=0, target_model="hsl")
    refused(
        "fourth", "convert_color_model", source_model="rgb", first=0, second=0, third=0, fourth=0, target_model="hsl"
    )


@given(st.lists(st.integers(0, 255), min_size=3, max_size=3), st.sampled_from(["hsl", "hsv", "cmyk"]))
def test_colours_there_and_back(rgb: list[int], model: str) -> None:
    there = call(
        "convert_color_model",
        source_model="rgb",
        first=rgb[0],
        second=rgb[1],
        third=rgb[2],
        target_model=model,
        decimals=3,
    )
    names = ("first", "second", "third", "fourth")
    values: dict[str, Any] = dict(zip(names, there["values"], strict=False))
    back = call("convert_color_model", source_model=model, **values, target_model="rgb")
    assert back["hex_code"] == there["hex_code"] == "#{:02X}{:02X}{:02X}".format(*rgb)
    assert back["values"] == pytest.approx(rgb, abs=0.1)


@pytest.mark.parametrize(
    ("version", "mode", "level", "capacity"),
    [
        # From the table of capacities in ISO/IEC 18004.
        (1, "numeric", "L", 41),
        (1, "alphanumeric", "H", 10),
        (2, "byte", "M", 26),
        (10, "byte", "Q", 151),
        (40, "numeric", "L", 7089),
        (40, "alphanumeric", "L", 4296),
        (40, "byte", "L", 2953),
        (40, "byte", "H", 1273),
    ],
)
def test_qr_capacities(version: int, mode: str, level: str, capacity: int) -> None:
    fit = call("fit_qr_code", characters=capacity, mode=mode, error_correction=level)
    assert (fit["version"], fit["capacity"], fit["spare_characters"]) == (version, capacity, 0)
    assert fit["modules_per_side"] == 17 + 4 * version
    if version < 40:
        assert call("fit_qr_code", characters=capacity + 1, mode=mode, error_correction=level)["version"] == version + 1
    else:
        refused("characters", "fit_qr_code", characters=min(7089, capacity + 1), mode="byte", error_correction="H")


def test_print_size_of_qr_codes() -> None:
    fit = call(
        "fit_qr_code", characters=1, mode="byte", smallest_version=3, module_millimetres=0.4, quiet_zone_modules=2
    )
    assert (fit["version"], fit["side_millimetres"]) == (3, 13.2)  # (29 + 4) * 0.4


@given(st.integers(1, 1272), st.sampled_from("LMQH"))
def test_longer_texts_need_no_smaller_code(characters: int, level: str) -> None:
    fits = [
        call("fit_qr_code", characters=n, mode="byte", error_correction=level)["version"]
        for n in (characters, characters + 1)
    ]
    assert fits[0] <= fits[1]
