"""The work behind language help: plurals, numbers in words, syllables, distances, sound keys, spelling."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Literal

import msgspec

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse

NumberForm = Literal["cardinal", "ordinal", "year"]
Alphabet = Literal["nato", "police"]
OtherCharacters = Literal["name", "skip", "refuse"]

_CONSONANT_Y = re.compile(r"[^aeiou]y$")
# A final e, ed or es of its own syllable follows -le, t, d or a hissing sound.
_SILENT_END = re.compile(r"(?<![^aeiouy]l)(?<=[^aeiouy])e$|[^aeioutdy]ed$|(?<![^aeiouy]l)(?<=[^aeiouysxzcgh])es$")
_NO_LETTERS = re.compile(r"[^a-z]+")
_VOWEL_GROUPS = re.compile(r"[aeiouy]+")
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ("", "thousand", "million", "billion", "trillion", "quadrillion")
_IRREGULAR_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_SOUND_GROUPS = ("bfpv", "cgjkqsxz", "dt", "l", "mn", "r")
_SOUND_CLASSES = {letter: code for code, letters in enumerate(_SOUND_GROUPS, 1) for letter in letters}
_MEN = "man"


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
    folder = resources.files("teller_gym.scenarios.distractors.general")
    return msgspec.yaml.decode(folder.joinpath("language_help.yaml").read_bytes(), type=Tables)


PluralRule = Literal["irregular", "unchanged", "y_to_ies", "es", "s"]


def plural(noun: str) -> tuple[str, PluralRule]:
    """Return the plural of an English noun in small letters; of several words, the last one changes."""
    words = tables()
    if noun in words.irregular_plurals:
        return words.irregular_plurals[noun], "irregular"
    start, last = _split_last(noun)
    if last in words.no_plural:
        raise refuse("noun", f"expected a noun that can be counted, got {noun!r}; say 'pieces of {noun}' or the like")
    if last in words.irregular_plurals:
        return start + words.irregular_plurals[last], "irregular"
    if last in words.same_in_plural:
        return noun, "unchanged"
    if last.endswith(_MEN) and last not in words.man_takes_s:
        return noun.removesuffix(_MEN) + "men", "irregular"
    if _CONSONANT_Y.search(last):
        return noun[:-1] + "ies", "y_to_ies"
    hissing = last.endswith(("s", "x", "z", "sh")) or (last.endswith("ch") and last not in words.ch_takes_s)
    return (noun + "es", "es") if hissing or last in words.o_takes_es else (noun + "s", "s")


def _split_last(words: str) -> tuple[str, str]:
    place = max(words.rfind(" "), words.rfind("-")) + 1
    return words[:place], words[place:]


def cardinal(number: int, use_and: bool, hyphen: str) -> str:
    """Return a whole number in words, American scale."""
    if number < 0:
        return "minus " + cardinal(-number, use_and, hyphen)
    if number == 0:
        return _ONES[0]
    groups: list[str] = []
    rest, scale = number, 0
    while rest:
        rest, group = divmod(rest, 1000)
        if group:
            joined = use_and and scale == 0 and number > group and group < 100
            text = _below_thousand(group, use_and, hyphen)
            groups.append((f"and {text}" if joined else text) + (f" {_SCALES[scale]}" if scale else ""))
        scale += 1
    return " ".join(reversed(groups))


def _below_thousand(number: int, use_and: bool, hyphen: str) -> str:
    hundreds, rest = divmod(number, 100)
    small = _below_hundred(rest, hyphen) if rest else ""
    if not hundreds:
        return small
    link = " and " if use_and else " "
    return f"{_ONES[hundreds]} hundred" + (link + small if small else "")


def _below_hundred(number: int, hyphen: str) -> str:
    if number < len(_ONES):
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (hyphen + _ONES[ones] if ones else "")


def ordinal(words: str) -> str:
    """Return the ordinal of a number in words."""
    start, last = _split_last(words)
    if last in _IRREGULAR_ORDINALS:
        return start + _IRREGULAR_ORDINALS[last]
    return start + (last[:-1] + "ieth" if last.endswith("y") else last + "th")


def year_words(year: int, use_and: bool, hyphen: str) -> str:
    """Return a year of four digits as it is read: 1984 in two pairs, 2005 as a number, 1905 with 'oh'."""
    century, rest = divmod(year, 100)
    if year % 1000 < 10:
        return cardinal(year, use_and, hyphen)
    if rest == 0:
        return _below_hundred(century, hyphen) + " hundred"
    return _below_hundred(century, hyphen) + " " + ("oh " if rest < 10 else "") + _below_hundred(rest, hyphen)


def ordinal_numeral(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th ..., 11th, -1st."""
    last = abs(number) % 100
    suffix = "th" if 10 < last < 20 else {1: "st", 2: "nd", 3: "rd"}.get(last % 10, "th")
    return f"{number:,}{suffix}"


def syllables(plain: str) -> int:
    """Estimate the syllables of an English word in plain letters: groups of vowels, less a silent e at the end."""
    count = len(_VOWEL_GROUPS.findall(plain))
    return max(1, count - bool(_SILENT_END.search(plain)))


def plain_letters(text: str) -> str:
    """Return the letters a to z of a text, small and without accents."""
    folded = text.casefold()
    return _NO_LETTERS.sub("", folded if folded.isascii() else unicodedata.normalize("NFD", folded))


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
