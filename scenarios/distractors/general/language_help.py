"""Help with English: plurals, numbers in words, syllables, similar names, reading times, spelling out, a glossary."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.scenarios.distractors.general import _glossary as glossary
from teller_gym.scenarios.distractors.general import _language_work as work
from teller_gym.scenarios.distractors.general._plain_text import WORD, LongPassage, keep_short, quoted, refuse
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

ShortText = Annotated[str, Meta(min_length=1, max_length=40)]
EditCost = Annotated[int, Meta(ge=1, le=10)]
TermId = Annotated[str, Meta(pattern="^GL-[0-9]{6}$")]
PartOfSpeech = Literal["noun", "verb", "adjective", "adverb", "phrase"]


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
    counts = [work.syllables(plain) for word in WORD.findall(text) if (plain := work.plain_letters(word))]
    if not counts:
        raise refuse("text", f"expected at least one word with letters from a to z, got {quoted(text)}")
    return SyllableCount(
        words=len(counts),
        syllables=sum(counts),
        average_per_word=round(sum(counts) / len(counts), 2),
        words_of_three_or_more=sum(count >= 3 for count in counts),
    )


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


class ReadingTime(Result):
    """Minutes, rounded to one decimal; breaks stand only between stretches of reading."""

    reading_minutes: float
    breaks: int
    total_minutes: float
    words_per_minute: int


_WORDS_PER_MINUTE = {"silent": 240, "aloud": 150, "skimming": 450}


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_reading_time(
    bank: Bank,
    word_count: Annotated[int, Meta(ge=1, le=1_000_000)],
    reading_mode: Literal["silent", "aloud", "skimming"] = "silent",
    words_per_minute: Annotated[int, Meta(ge=50, le=1000)] | None = None,
    pictures: Annotated[int, Meta(ge=0, le=500)] = 0,
    seconds_per_picture: Annotated[int, Meta(ge=1, le=120)] = 10,
    slower_by_percent: Annotated[int, Meta(ge=0, le=200)] = 0,
    break_after_minutes: Annotated[int, Meta(ge=10, le=240)] | None = None,
    break_minutes: Annotated[int, Meta(ge=1, le=60)] = 10,
) -> ReadingTime:
    """Estimate how long it takes to read a text, with pictures and breaks.

    Args:
        word_count: Words of the text.
        reading_mode: How it is read: 240 words a minute silently, 150 aloud, 450 when skimming.
        words_per_minute: The reader's own speed instead of that of the mode.
        pictures: Pictures and tables to look at.
        seconds_per_picture: Time for each of them.
        slower_by_percent: How much more time the words take because the text is hard.
        break_after_minutes: Reading time after which there is a break; none if left out.
        break_minutes: Length of a break.
    """
    speed = words_per_minute or _WORDS_PER_MINUTE[reading_mode]
    # Seconds times 100 times the speed are a whole number, so that no break hangs on a rounding error.
    scaled = word_count * 60 * (100 + slower_by_percent) + pictures * seconds_per_picture * 100 * speed
    minute = 6000 * speed
    breaks = 0 if break_after_minutes is None else (scaled - 1) // (break_after_minutes * minute)
    return ReadingTime(
        reading_minutes=round(scaled / minute, 1),
        breaks=breaks,
        total_minutes=round(scaled / minute + breaks * break_minutes, 1),
        words_per_minute=speed,
    )


class SpelledText(Result):
    """The words to say, and for how many characters."""

    spelled: str
    characters: int


@tool(category=Category.GENERAL_DISTRACTOR)
def spell_phonetically(
    bank: Bank,
    text: Annotated[str, Meta(min_length=1, max_length=60)],
    alphabet: work.Alphabet = "nato",
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


class SavedTerm(Result):
    """The term on file."""

    term_id: str
    status: Literal["added", "replaced"]


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def save_glossary_term(
    bank: Bank,
    term: ShortText,
    definition: Annotated[str, Meta(min_length=3, max_length=240)],
    part_of_speech: PartOfSpeech = "noun",
    abbreviation: Annotated[str, Meta(pattern="^[A-Z][A-Z0-9&.]{1,11}$")] | None = None,
    synonyms: Annotated[list[ShortText], Meta(max_length=8)] | None = None,
    example: Annotated[str, Meta(min_length=3, max_length=160)] | None = None,
    register: Literal["general", "technical", "informal"] = "general",
) -> SavedTerm:
    """Save a word with its meaning in the house glossary. The same term and part of speech replace an earlier entry.

    Args:
        term: The word or phrase.
        definition: What it means.
        part_of_speech: Which kind of word it is.
        abbreviation: Its abbreviation in capitals.
        synonyms: Words that mean the same.
        example: A sentence in which the term occurs.
        register: In which kind of text it is used.
    """
    term_id, status = glossary.save(
        bank,
        term,
        part_of_speech,
        definition=definition,
        abbreviation=abbreviation.strip() if abbreviation else None,
        synonyms=[" ".join(synonym.split()) for synonym in synonyms or ()],
        example=example,
        register=register,
    )
    return SavedTerm(term_id=term_id, status=status)


class GlossaryEntries(Result):
    """Entries by term, and how many match in all."""

    entries: list[glossary.GlossaryEntry]
    found: int


@tool(category=Category.GENERAL_DISTRACTOR)
def find_glossary_terms(
    bank: Bank,
    query: ShortText,
    match: glossary.TermMatch = "exact",
    search_in: glossary.SearchPlace = "names",
    include_retired: bool = False,
    limit: Annotated[int, Meta(ge=1, le=10)] = 5,
) -> GlossaryEntries:
    """Look a word up in the house glossary; capitals make no difference.

    Args:
        query: What to look for.
        match: How it must agree.
        search_in: Whether to look at terms, abbreviations and synonyms, or at definitions.
        include_retired: Whether entries no longer in use are shown.
        limit: Most entries to show.
    """
    found = glossary.find(bank, query, match, search_in, include_retired)
    return GlossaryEntries(entries=keep_short(found[:limit], "limit"), found=len(found))


class RetiredTerm(Result):
    """The entry after it was taken out of use."""

    term_id: str
    term: str
    see_instead: str | None


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def retire_glossary_term(
    bank: Bank,
    term_id: TermId,
    reason: Annotated[str, Meta(min_length=3, max_length=120)],
    see_instead: TermId | None = None,
) -> RetiredTerm:
    """Take an entry of the house glossary out of use; it is kept, and can point to another one.

    Args:
        term_id: The entry.
        reason: Why it is no longer used.
        see_instead: The entry to use instead.
    """
    record = glossary.retire(bank, term_id.strip(), reason, see_instead.strip() if see_instead else None)
    return RetiredTerm(term_id=term_id.strip(), term=record["term"], see_instead=record["see_instead"])
