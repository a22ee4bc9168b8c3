"""The work behind codes: schemes, ciphers, Morse code, check digits, colour models, strength of passwords."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class Tables(msgspec.Struct, frozen=True):
    """The tables of encoding.yaml."""

    morse: dict[str, str]
    qr_codewords: dict[str, list[int]]


@cache
def tables() -> Tables:
    """Return the tables."""
    folder = resources.files("teller_gym.scenarios.distractors.general.encoding")
    return msgspec.yaml.decode(folder.joinpath("encoding.yaml").read_bytes(), type=Tables)
