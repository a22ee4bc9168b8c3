"""A glossary of terms."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import keep_short
from teller_gym.scenarios.distractors.general.language_help import _glossary as glossary
from teller_gym.scenarios.distractors.general.language_help._types import ShortText
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

TermId = Annotated[str, Meta(pattern="^GL-[0-9]{6}$")]
PartOfSpeech = Literal["noun", "verb", "adjective", "adverb", "phrase"]


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
