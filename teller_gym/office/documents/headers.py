"""Headers of columns: one name for the different spellings of a header."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

import yaml

_UNSEEN: Final = re.compile("[\ufeff\u200b\u200c\u200d\u2060\u00ad]")
"""Invisible characters: the byte order mark, blanks without width, the soft hyphen."""

_UNIT: Final = re.compile(r"[(\[](?:[^\w()\[\]]+|\s*(?:(?:us|ca|a)\$|usd|eur|gbp|cad|chf|aud)\s*)[)\]]")
"""A unit in brackets, such as ($), (%) or [USD]. Any run of blanks matches in one way only: no backtracking."""

_BETWEEN: Final = re.compile(r"[\W_]+")
"""Separators of words."""


def normal_header(text: str) -> str:
    """Return a header in lower case with its words joined by underscores: ``Market Value ($)`` is ``market_value``.

    Case, blanks, underscores, hyphens and other punctuation make no difference, nor do invisible characters,
    nor a currency or a percent sign in brackets after or before the words. Other words in brackets count: ``Balance
    (end)`` is ``balance_end``. A header without letters and digits is the empty text.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold())
    return _BETWEEN.sub("_", _UNIT.sub(" ", folded)).strip("_")


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Return the synonyms of headers, by their common name."""
    found: dict[str, list[str]] = yaml.safe_load(
        files(__package__).joinpath("header_synonyms.yaml").read_text(encoding="utf-8")
    )
    return {name: tuple(headers) for name, headers in found.items()}


@cache
def _canonical() -> dict[str, str]:
    return {normal_header(header): name for name, headers in synonyms().items() for header in (name, *headers)}


def canonical_header(text: str) -> str:
    """Return the common name of a header and its synonyms in `header_synonyms.yaml`, otherwise its normal form."""
    normal = normal_header(text)
    return _canonical().get(normal, normal)
