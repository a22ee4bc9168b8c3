"""Shoes and sheets of paper."""

from __future__ import annotations

from math import floor
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.scenarios.distractors.general.units import _scales as scales
from teller_gym.scenarios.distractors.general.units._scales import ShoeSystem
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


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
