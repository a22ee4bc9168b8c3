"""What a message asks for: patterns of questions, the parts of a message, and what it says it does not want.

The same message and patterns give the same result whatever way the words are written; no model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Final

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.office.chat.tokenizing import COLON, COMMA, STOP, Token, stem, tokens

_PATTERN: Final = re.compile(r"-?[a-z0-9][a-z0-9_:.-]*\*?(?:\|[a-z0-9][a-z0-9_:.-]*\*?)*")
_FRAGMENT: Final = 6
"""Words up to which a message without verb or question mark counts as a question, such as "Hart pension?" without
its mark."""


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


_ASKING: Final = _stems(
    "what when which who whom whose where why how can could would tell send give share need want require please "
    "confirm check provide know ask asking wonder wondering help show advise remind clarify request requesting looking"
)
_INVERTED: Final = _stems("is are do does did have has will may shall should was were any")
"""Verbs that ask if a sentence begins with them."""

_TELLING: Final = _stems("note see be ignore accept")
"""What after "please" is no question."""

_THANKING: Final = _stems(
    "thanks thank you ok okay great perfect much many very so appreciated cheers helpful got it that this all good bye "
    "lot lots is was your for help the a hi hello dear lovely brilliant excellent"
)
_THANKS: Final = _stems("thanks thank cheers appreciated ok okay great perfect bye")

_HARD: Final = _stems("but only just instead")
"""Words that begin a new part of a sentence, and end what is not wanted."""

_SOFT: Final = _stems("and or plus also")
"""Words that go on with an enumeration."""

_RESTART: Final = _stems(
    "i we you what when which who how where could can would please send tell give do does is are need want let show"
)
"""Words after which an enumeration is a new sentence."""

_REFUSED: Final = _stems(
    "need want require send tell share include bother mention discuss ask asking interested looking give provide after"
)
_AUXILIARY: Final = _stems("do does did can could is are was were have has had will would should may might be am")
_DROPPING: Final = tuple(
    tuple(stem(word) for word in phrase.split())
    for phrase in ("no need", "never mind", "forget", "ignore", "skip", "leave out", "leave aside", "no longer need")
)
_CONTRASTING: Final = tuple(
    tuple(stem(word) for word in phrase.split())
    for phrase in ("instead of", "rather than", "other than", "apart from", "except", "excluding", "without")
)
_NEEDLESS: Final = _stems("needed necessary required")


class Term(msgspec.Struct, frozen=True):
    """A part of a pattern.

    Attributes:
        alternatives: sequences of words, of which one has to be there; a last sign * stands for any ending.
        excluded: none of them may be there.
    """

    alternatives: tuple[tuple[str, ...], ...]
    excluded: bool


@lru_cache(maxsize=8192)
def parse_pattern(text: str) -> tuple[Term, ...]:
    """Read a pattern of questions: terms with blanks between them, all of which a question has to hold in any order.

    ``calendar|diary|free* 2026-03-05 -holiday`` fits a question with one of the first words (or one that begins with
    free), this date written in any way, and without the word holiday. Words that belong together are joined:
    ``profit_and_loss``. Plurals and possessives are the same word.

    Raises:
        OptionError: it is malformed.
    """
    found = []
    for part in text.casefold().split():
        if not _PATTERN.fullmatch(part):
            raise OptionError(
                f"pattern {text!r}: expected words of plain letters and digits joined by | or _, got {part!r}"
            )
        words = part.removeprefix("-").split("|")
        alternatives = tuple(tuple(_pattern_word(word) for word in one.split("_") if word) for one in words)
        found.append(Term(alternatives, part.startswith("-")))
    if not any(not term.excluded for term in found):
        raise OptionError(f"pattern {text!r}: expected at least one term that has to be there")
    return tuple(found)


class Question(msgspec.Struct, frozen=True):
    """A message, read.

    Attributes:
        parts: the words of each part of a sentence, without what is not wanted.
        words: all of these, in order.
        said: all words, what is not wanted included.
        is_asked: whether it asks for anything, rather than tell something.
        is_thanks: whether it only thanks or greets.
    """

    parts: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    said: tuple[str, ...]
    is_asked: bool
    is_thanks: bool


def read_question(text: str, today: date, ignore: Iterable[str] = ()) -> Question:
    """Read a message.

    Args:
        text: of the message.
        today: to which dates such as "tomorrow" refer.
        ignore: words that mean nothing here, such as the first name of whom it is addressed to.
    """
    pieces = tokens(text, today)
    parts = tuple(part for part in _wanted(pieces) if part)
    words = tuple(word for part in parts for word in part)
    said = [one.text for one in pieces if one.text not in (STOP, COLON, COMMA)]
    ignored = {stem(word.casefold()) for word in ignore}
    rest = [word for word in said if word not in ignored]
    thanks = bool(rest) and any(word in _THANKS for word in rest) and all(word in _THANKING for word in rest)
    return Question(parts, words, tuple(said), not thanks and _is_asked(text, pieces, len(rest)), thanks)


def asked(patterns: Sequence[Sequence[str]], question: Question, before: Sequence[str] = ()) -> list[int]:
    """Return which things are asked for, by index, in the order in which the message asks.

    A part of the message that fits no pattern alone is read with what else is wanted, then with what is not wanted
    ("not Hart's pension, but the mortgage"), and then with the words before the message: "And for Lowe?" asks of Lowe
    what was asked before. What fits has to have a term in the part itself.

    Args:
        patterns: for each thing, the patterns that ask for it.
        question: the message.
        before: words of the asker's message before this one.
    """
    terms = [[parse_pattern(pattern) for pattern in several] for several in patterns]
    contexts = (question.words, question.said, (*before, *question.words))
    in_contexts: list[list[tuple[int, frozenset[str]]]] = []  # worked out once, and only as far as they are needed
    found: dict[int, None] = {}
    for part in question.parts:
        fits = [index for index, _ in _fitting(terms, part)]
        for place, context in enumerate(contexts):
            if fits:
                break
            if place == len(in_contexts):
                in_contexts.append(_fitting(terms, context))
            fits = [index for index, words in in_contexts[place] if not words.isdisjoint(part)]
        found.update(dict.fromkeys(fits))
    return list(found)


def fits_any(patterns: Iterable[str], words: Sequence[str]) -> bool:
    """Whether words fit one of some patterns."""
    return any(_fit(parse_pattern(pattern), words) is not None for pattern in patterns)


def _fitting(terms: Sequence[Sequence[tuple[Term, ...]]], words: Sequence[str]) -> list[tuple[int, frozenset[str]]]:
    """The things of which a pattern fits, by index, each with the words with which its terms begin."""
    found = []
    for index, several in enumerate(terms):
        fits = [words_of for pattern in several if (words_of := _fit(pattern, words)) is not None]
        if fits:
            found.append((index, frozenset().union(*fits)))
    return found


def _fit(pattern: tuple[Term, ...], words: Sequence[str]) -> set[str] | None:
    """The words with which a pattern's terms begin, if all of them stand there; else None."""
    found: set[str] = set()
    for term in pattern:
        begins = [word for sequence in term.alternatives for word in _beginnings(sequence, words)]
        if bool(begins) == term.excluded:
            return None
        found.update(begins)
    return found


def _beginnings(sequence: tuple[str, ...], words: Sequence[str]) -> Iterator[str]:
    """The words with which a sequence of words begins, wherever it stands."""
    for start, word in enumerate(words):
        if _same(sequence[0], word) and (
            len(sequence) == 1
            or (
                start + len(sequence) <= len(words)
                and all(_same(wanted, words[start + i]) for i, wanted in enumerate(sequence))
            )
        ):
            yield word


def _same(wanted: str, word: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted


def _pattern_word(word: str) -> str:
    return word if word.endswith("*") else stem(word)


def _is_asked(text: str, pieces: Sequence[Token], count: int) -> bool:
    if "?" in text or count <= _FRAGMENT:
        return True
    begins = True
    words = [one.text for one in pieces]
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        # A label such as "Required: 1,200.00" tells something.
        if word in _ASKING and following != COLON and not (word == "please" and following in _TELLING):
            return True
        if begins and word in _INVERTED:
            return True
        begins = word in (STOP, COMMA)
    return False


def _wanted(pieces: Sequence[Token]) -> list[tuple[str, ...]]:
    """The words of each part of the sentences, without those of what is not wanted.

    A refusal ("I do not need …") reaches as far as the enumeration goes, a contrast ("not …", "except …") to the next
    comma.
    """
    words = [one.text for one in pieces]
    parts: list[list[str]] = [[]]
    dropped = ""
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if not dropped and (kind := _drops(words, index)):
            dropped = kind
            if kind == "all":  # "the pension is not needed": what is not wanted stands before
                parts[-1].clear()
        elif word in (STOP, COLON) or word in _HARD:
            dropped = ""
            parts.append([])
        elif word == COMMA or word in _SOFT:
            if (dropped == "contrast" and word == COMMA) or following in _RESTART:
                dropped = ""
            # The word stays, so that "profit and loss" is found in the whole.
            parts.append([word] if word != COMMA and not dropped else [])
        elif not dropped:
            parts[-1].append(word)
    return [tuple(part) for part in parts]


def _drops(words: Sequence[str], index: int) -> str:
    """Whether something unwanted begins at a word, and of what kind."""
    for kind, phrases in (("refusal", _DROPPING), ("contrast", _CONTRASTING)):
        if any(tuple(words[index : index + len(phrase)]) == phrase for phrase in phrases):
            return kind
    if words[index] != "not":
        return ""
    last = words[index - 1] if index else ""
    following = words[index + 1] if index + 1 < len(words) else ""
    if following in _NEEDLESS:
        return "all"
    # "Why did you not send …", "you have not sent …", "do you not need …" ask for it.
    if "you" in (last, following) or (index > 1 and words[index - 2] == "you" and last in _AUXILIARY):
        return ""
    if following in _REFUSED:
        return "refusal"
    return "" if last in _AUXILIARY else "contrast"
