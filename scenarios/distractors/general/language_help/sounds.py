"""Names that sound alike, words that differ by little, spelling by telephone."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import keep_short, quoted, refuse
from teller_gym.scenarios.distractors.general.language_help import _sounds as work
from teller_gym.scenarios.distractors.general.language_help._language_work import Alphabet
from teller_gym.scenarios.distractors.general.language_help._types import ShortText
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

EditCost = Annotated[int, Meta(ge=1, le=10)]


class EditDistance(Result):
    """The lowest total cost of edits, and 100 % less its share of the largest cost possible, rounded to 0.1 %."""

    distance: int
    similarity_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_edit_distance(
    bank: Bank,
    first_text: ShortText,
    second_text: ShortText,
    ignore_case: bool = False,
    ignore_accents: bool = False,
    insertion_cost: EditCost = 1,
    deletion_cost: EditCost = 1,
    substitution_cost: EditCost = 1,
    allow_swaps: bool = False,
) -> EditDistance:
    """Measure by how many edits one spelling turns into another (Levenshtein distance), with costs for each kind.

    Args:
        first_text: The spelling to start from.
        second_text: The spelling to reach.
        ignore_case: Whether capitals make no difference.
        ignore_accents: Whether accents make no difference.
        insertion_cost: Cost of a character that is added.
        deletion_cost: Cost of a character that is dropped.
        substitution_cost: Cost of a character that is replaced.
        allow_swaps: Whether two neighbours may change places at the cost of a replacement.
    """
    first = work.comparable(first_text, ignore_case, ignore_accents)
    second = work.comparable(second_text, ignore_case, ignore_accents)
    costs = insertion_cost, deletion_cost, substitution_cost
    distance = work.edit_distance(first, second, costs, allow_swaps)
    largest = work.largest_distance(len(first), len(second), costs)
    return EditDistance(
        distance=distance, similarity_percent=round(100 * (1 - distance / largest), 1) if largest else 100.0
    )


class SoundGroup(msgspec.Struct):
    """A Soundex code and the names that have it."""

    code: str
    names: list[str]


class SoundGroups(Result):
    """The groups by code, and how many names share theirs with another one."""

    groups: list[SoundGroup]
    names_with_company: int


@tool(category=Category.GENERAL_DISTRACTOR)
def group_names_by_sound(
    bank: Bank,
    names: Annotated[list[Annotated[str, Meta(min_length=1, max_length=30)]], Meta(min_length=1, max_length=40)],
    code_length: Annotated[int, Meta(ge=3, le=8)] = 4,
) -> SoundGroups:
    """Group names that sound alike in English by their Soundex code, such as Smith and Smyth.

    Args:
        names: Last names or single words.
        code_length: Characters of a code; longer codes make smaller groups.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(work.sound_key(name, code_length), []).append(name)
    found = [SoundGroup(code=code, names=groups[code]) for code in sorted(groups)]
    return SoundGroups(
        groups=keep_short(found, "names"),
        names_with_company=sum(len(group.names) for group in found if len(group.names) > 1),
    )


class SpelledText(Result):
    """The words to say, and for how many characters."""

    spelled: str
    characters: int


@tool(category=Category.GENERAL_DISTRACTOR)
def spell_phonetically(
    bank: Bank,
    text: Annotated[str, Meta(min_length=1, max_length=60)],
    alphabet: Alphabet = "nato",
    separator: Literal["space", "comma", "dash"] = "space",
    mark_capitals: bool = False,
    radio_digits: bool = False,
    other_characters: work.OtherCharacters = "name",
) -> SpelledText:
    """Spell a name or a code out for the telephone with a spelling alphabet.

    Args:
        text: What to spell.
        alphabet: The alphabet: Alfa, Bravo, Charlie, or that of US police, Adam, Boy, Charles.
        separator: What stands between words.
        mark_capitals: Whether to say 'capital' before capitals.
        radio_digits: Whether digits are said as on the radio: tree, fower, fife, niner.
        other_characters: What to do with all other characters.
    """
    said = []
    for character in text:
        if word := work.spelled(character, alphabet, radio_digits, other_characters):
            said.append(f"capital {word}" if mark_capitals and character in ascii_uppercase else word)
    if not said:
        raise refuse("text", f"expected something to spell, got {quoted(text)}")
    spelled = {"space": " ", "comma": ", ", "dash": " - "}[separator].join(said)
    return SpelledText(spelled=keep_short(spelled, "text"), characters=len(said))
