"""Texts of ``context.yaml``, which the stage 1 prompts of all scenarios share."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import msgspec

_PLACE = re.compile(r"\{(\w+)\}")


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of ``context.yaml``."""

    context: str
    example: str
    precedences: tuple[str, ...]
    no_precedence: str
    tool: str
    input: str
    optional: str
    nothing: str


@cache
def frame() -> Frame:
    """Load ``context.yaml``."""
    data = resources.files("teller_gym.stage1").joinpath("context.yaml").read_bytes()
    return msgspec.yaml.decode(data, type=Frame)


def filled(text: str, **values: str) -> str:
    """Replace the placeholders in a text, all at once, so that braces in a value are not replaced."""
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), text)


def one_line(text: str) -> str:
    """Replace each run of white space in a text with a single space."""
    return " ".join(text.split())
