"""The kitchen's tables, and numbers as text."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated

import msgspec
from msgspec import Meta

People = Annotated[int, Meta(ge=1, le=200)]


class Tables(msgspec.Struct, frozen=True):
    """What stands in kitchen.yaml."""

    foods: dict[str, tuple[float, float, float, float]]
    roasting: dict[str, dict[str, tuple[float, float, int]]]
    storage: dict[str, tuple[int | None, int | None]]


@cache
def tables() -> Tables:
    folder = resources.files("teller_gym.scenarios.distractors.general.kitchen")
    text = folder.joinpath("kitchen.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=Tables)


def number_text(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
