"""The common texts of stage 1, from ``context.yaml``."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import msgspec

_PLACE = re.compile(r"\{(\w+)\}")


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parsed ``context.yaml``."""

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
    """Return the texts."""
    data = resources.files("teller_gym.stage1").joinpath("context.yaml").read_bytes()
    return msgspec.yaml.decode(data, type=Frame)


def filled(text: str, **values: str) -> str:
    """Fill the places of a text at once, so that braces in a value stay."""
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), text)


def one_line(text: str) -> str:
    """Return a text with single spaces for all white space."""
    return " ".join(text.split())
