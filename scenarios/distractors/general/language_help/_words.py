"""The work behind the tools beside it: plurals, numbers in words and syllables."""

from __future__ import annotations

import re
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import refuse
from teller_gym.scenarios.distractors.general.language_help._language_work import tables

NumberForm = Literal["cardinal", "ordinal", "year"]

_CONSONANT_Y = re.compile(r"[^aeiou]y$")
# A final e, ed or es of its own syllable follows -le, t, d or a hissing sound.
_SILENT_END = re.compile(r"(?<![^aeiouy]l)(?<=[^aeiouy])e$|[^aeioutdy]ed$|(?<![^aeiouy]l)(?<=[^aeiouysxzcgh])es$")
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
_MEN = "man"

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
