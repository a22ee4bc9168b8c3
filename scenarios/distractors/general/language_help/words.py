"""Plurals, numbers in words and syllables."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import WORD, LongPassage, quoted, refuse
from teller_gym.scenarios.distractors.general.language_help import _words as work
from teller_gym.scenarios.distractors.general.language_help._language_work import plain_letters
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class PluralForm(Result):
    """The plural, the number with the right form, and the rule behind it."""

    plural: str
    phrase: str
    rule: work.PluralRule


@tool(category=Category.GENERAL_DISTRACTOR)
def form_english_plural(
    bank: Bank,
    noun: Annotated[str, Meta(pattern="^[A-Za-z]+([ -][A-Za-z]+)*$", max_length=40)],
    count: Annotated[int, Meta(ge=0, le=1_000_000)] = 2,
) -> PluralForm:
    """Form the plural of an English noun, and write a number of things with the form that belongs to it.

    Args:
        noun: The noun in the singular; it is written in small letters. Of several words, the last one changes.
        count: How many things.
    """
    singular = noun.strip().lower()
    form, rule = work.plural(singular)
    return PluralForm(plural=form, phrase=f"{count:,} {singular if count == 1 else form}", rule=rule)


class NumberWords(Result):
    """The number in words and in figures."""

    words: str
    figures: str
    letters: int


@tool(category=Category.GENERAL_DISTRACTOR)
def spell_number_words(
    bank: Bank,
    number: Annotated[int, Meta(ge=-(10**15), le=10**15)],
    form: work.NumberForm = "cardinal",
    use_and: bool = False,
    hyphenate: bool = True,
    capitals: Literal["none", "first_word", "all_words"] = "none",
) -> NumberWords:
    """Write a whole number in English words: seven, seventh, or as a year (nineteen eighty-four).

    Args:
        number: The number; years from 1000 to 9999.
        form: Whether it counts, ranks, or is a year.
        use_and: Whether to say 'one hundred and one', as the British do.
        hyphenate: Whether tens and ones have a hyphen between them.
        capitals: Which words begin with a capital.
    """
    hyphen = "-" if hyphenate else " "
    if form == "year":
        if not 1000 <= number <= 9999:
            raise refuse("number", f"expected a year from 1000 to 9999, got {number}")
        words = work.year_words(number, use_and, hyphen)
    else:
        words = work.cardinal(number, use_and, hyphen)
        words = work.ordinal(words) if form == "ordinal" else words
    figures = {"cardinal": f"{number:,}", "ordinal": work.ordinal_numeral(number), "year": str(number)}[form]
    letters = sum(map(str.isalpha, words))
    if capitals == "first_word":
        words = words.capitalize()
    elif capitals == "all_words":
        words = words.title()
    return NumberWords(words=words, figures=figures, letters=letters)


class SyllableCount(Result):
    """An estimate for the whole text; the average is rounded to two decimals."""

    words: int
    syllables: int
    average_per_word: float
    words_of_three_or_more: int


@tool(category=Category.GENERAL_DISTRACTOR)
def count_syllables(bank: Bank, text: LongPassage) -> SyllableCount:
    """Estimate the syllables of an English text from its groups of vowels.

    Args:
        text: A word or a text.
    """
    counts = [work.syllables(plain) for word in WORD.findall(text) if (plain := plain_letters(word))]
    if not counts:
        raise refuse("text", f"expected at least one word with letters from a to z, got {quoted(text)}")
    return SyllableCount(
        words=len(counts),
        syllables=sum(counts),
        average_per_word=round(sum(counts) / len(counts), 2),
        words_of_three_or_more=sum(count >= 3 for count in counts),
    )
