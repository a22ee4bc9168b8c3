"""The work behind the tools beside it: names that sound alike, words that differ by little, spelling by telephone."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse
from teller_gym.scenarios.distractors.general.language_help._language_work import Alphabet, plain_letters, tables

OtherCharacters = Literal["name", "skip", "refuse"]
_SOUND_GROUPS = ("bfpv", "cgjkqsxz", "dt", "l", "mn", "r")
_SOUND_CLASSES = {letter: code for code, letters in enumerate(_SOUND_GROUPS, 1) for letter in letters}


def comparable(text: str, ignore_case: bool, ignore_accents: bool) -> str:
    """Return what is compared of a text; it is never longer than the text."""
    if ignore_accents:
        text = "".join(unicodedata.normalize("NFD", c)[0] for c in text if not unicodedata.combining(c))
    return "".join(character.lower()[0] for character in text) if ignore_case else text


def edit_distance(first: str, second: str, costs: tuple[int, int, int], allow_swaps: bool) -> int:
    """Return the lowest cost of turning one text into the other.

    Args:
        first, second: the texts.
        costs: of inserting, deleting and substituting a character; a swap of neighbours costs as much as the last.
        allow_swaps: whether neighbours may be swapped (optimal string alignment).
    """
    insertion, deletion, substitution = costs
    before: list[int] = []
    row = [insertion * place for place in range(len(second) + 1)]
    for i, old in enumerate(first, 1):
        above, row, oldest = row, [deletion * i], before
        for j, new in enumerate(second, 1):
            best = min(above[j] + deletion, row[j - 1] + insertion, above[j - 1] + (0 if old == new else substitution))
            if allow_swaps and i > 1 and j > 1 and old == second[j - 2] and new == first[i - 2]:
                best = min(best, oldest[j - 2] + substitution)
            row.append(best)
        before = above
    return row[-1]


def largest_distance(first: int, second: int, costs: tuple[int, int, int]) -> int:
    """Return the cost for texts of these lengths that have nothing in common."""
    insertion, deletion, substitution = costs
    common = min(first, second)
    changing = min(substitution, insertion + deletion) * common
    return changing + (first - common) * deletion + (second - common) * insertion


def sound_key(name: str, length: int) -> str:
    """Return the American Soundex code of a name, filled up with zeros; refuse a name without a letter."""
    letters = plain_letters(name)
    if not letters:
        raise refuse("names", f"expected names with letters from A to Z, got {quoted(name)}")
    # h and w do not part letters of the same class, vowels do.
    classes = [_SOUND_CLASSES.get(letter, 0) for letter in letters[0] + re.sub("[hw]", "", letters[1:])]
    runs = [code for code, _ in groupby(classes)]
    digits = "".join(str(code) for code in runs[1:] if code)
    return (letters[0].upper() + digits).ljust(length, "0")[:length]


def spelled(character: str, alphabet: Alphabet, radio_digits: bool, others: OtherCharacters) -> str:
    """Return the word for a character; empty if it is to be skipped."""
    words = tables()
    if character.isascii() and character.isalpha():
        return words.spelling_alphabets[alphabet][ord(character.lower()) - ord("a")]
    if character.isascii() and character.isdigit():
        return (words.radio_digits if radio_digits else words.digits)[int(character)]
    if others == "refuse":
        raise refuse("text", f"expected letters from A to Z and digits, got {character!r}; name or skip others")
    return unicodedata.name(character, "unnamed sign").lower() if others == "name" else ""
