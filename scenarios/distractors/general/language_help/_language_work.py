"""The work behind language help: plurals, numbers in words, syllables, distances, sound keys, spelling."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

Alphabet = Literal["nato", "police"]
_NO_LETTERS = re.compile(r"[^a-z]+")


class Tables(msgspec.Struct, frozen=True):
    """The tables of language_help.yaml."""

    irregular_plurals: dict[str, str]
    same_in_plural: list[str]
    no_plural: list[str]
    o_takes_es: list[str]
    ch_takes_s: list[str]
    man_takes_s: list[str]
    spelling_alphabets: dict[Alphabet, list[str]]
    digits: list[str]
    radio_digits: list[str]


@cache
def tables() -> Tables:
    """Return the tables."""
    folder = resources.files("teller_gym.scenarios.distractors.general.language_help")
    return msgspec.yaml.decode(folder.joinpath("language_help.yaml").read_bytes(), type=Tables)


def plain_letters(text: str) -> str:
    """Return the letters a to z of a text, small and without accents."""
    folded = text.casefold()
    return _NO_LETTERS.sub("", folded if folded.isascii() else unicodedata.normalize("NFD", folded))
