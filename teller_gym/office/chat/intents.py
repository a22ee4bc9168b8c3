"""Finds the facts that a message asks for by word patterns, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Final

import msgspec
import yaml

from teller_gym.base.errors import OptionError
from teller_gym.office.chat.tokenizing import COLON, COMMA, STOP, stem, tokens

_PATTERN: Final = re.compile(r"-?[a-z0-9][a-z0-9_:.-]*\*?(?:\|[a-z0-9][a-z0-9_:.-]*\*?)*")
_FRAGMENT: Final = 6
"""Maximum number of words in a message that counts as a question even without a verb or question mark."""


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


def _phrases(phrases: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(stem(word) for word in phrase.split()) for phrase in phrases.split(","))


_WORDS: Final[dict[str, str]] = yaml.safe_load(files(__package__).joinpath("words.yaml").read_text(encoding="utf-8"))
_ASKING, _INVERTED, _TELLING, _THANKING, _THANKS, _HARD, _SOFT, _RESTART, _REFUSED, _AUXILIARY, _NEEDLESS = (
    _stems(_WORDS[name])
    for name in (
        *("asking", "inverted", "telling", "thanking", "thanks", "hard", "soft", "restart", "refused", "auxiliary"),
        "needless",
    )
)
_DROPPING, _CONTRASTING = _phrases(_WORDS["dropping"]), _phrases(_WORDS["contrasting"])


class Term(msgspec.Struct, frozen=True):
    """A part of a pattern.

    Attributes:
        alternatives: word sequences, one of which has to occur; a * at the end matches any ending.
        excluded: True if none of them may occur.
    """

    alternatives: tuple[tuple[str, ...], ...]
    excluded: bool


@lru_cache(maxsize=8192)
def parse_pattern(text: str) -> tuple[Term, ...]:
    """Parse a question pattern: terms separated by spaces, all of which a question must contain, in any order.

    ``calendar|diary|free* 2026-03-05 -holiday`` matches a question with one of the first words (or one that begins
    with free), this date in any format, and not the word holiday. Phrases are joined: ``profit_and_loss``. Plurals and
    possessives count as the same word.

    Raises:
        OptionError: the pattern is malformed.
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
    """A parsed message.

    Attributes:
        parts: words of each sentence part, without the unwanted ones (see `_wanted`).
        words: words of all parts, in order.
        said: all words, including the unwanted ones.
        is_asked: True if the message asks for something and does not only report.
        is_thanks: True if the message only thanks or greets.
    """

    parts: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    said: tuple[str, ...]
    is_asked: bool
    is_thanks: bool


def read_question(text: str, today: date, ignore: Iterable[str] = ()) -> Question:
    """Parse a message.

    Args:
        text: the message.
        today: the day that words such as "tomorrow" refer to.
        ignore: words to ignore, such as the recipient's first name.
    """
    pieces = tokens(text, today)
    parts = tuple(tuple(part) for part in _wanted(pieces) if part)
    words = tuple(word for part in parts for word in part)
    said = [one for one in pieces if one not in (STOP, COLON, COMMA)]
    ignored = {stem(word.casefold()) for word in ignore}
    rest = [word for word in said if word not in ignored]
    thanks = bool(rest) and any(word in _THANKS for word in rest) and all(word in _THANKING for word in rest)
    return Question(parts, words, tuple(said), not thanks and _is_asked(text, pieces, len(rest)), thanks)


def asked(patterns: Sequence[Sequence[str]], question: Question, before: Sequence[str] = ()) -> list[int]:
    """Return the indices of the things that a message asks for, in the order of the message.

    A part of the message that matches no pattern by itself is combined with the message's other wanted words, then with
    the unwanted ones ("not Hart's pension, but the mortgage"), and then with the previous message's words: "And for
    Lowe?" asks for the same about Lowe. At least one term of the pattern must match in the part itself.

    Args:
        patterns: for each thing, the patterns that ask for it.
        question: the message.
        before: words of the asker's previous message.
    """
    terms = [[parse_pattern(pattern) for pattern in several] for several in patterns]
    contexts = (question.words, question.said, (*before, *question.words))
    in_contexts: list[list[tuple[int, frozenset[str]]]] = []  # computed once, and only as far as needed
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


def _fitting(terms: Sequence[Sequence[tuple[Term, ...]]], words: Sequence[str]) -> list[tuple[int, frozenset[str]]]:
    """Return the indices of things with a matching pattern, each with the first words of the matched terms."""
    found = []
    for index, several in enumerate(terms):
        fits = [words_of for pattern in several if (words_of := _fit(pattern, words)) is not None]
        if fits:
            found.append((index, frozenset().union(*fits)))
    return found


def _fit(pattern: tuple[Term, ...], words: Sequence[str]) -> set[str] | None:
    """Return the first words of a pattern's matched terms, or None if the pattern does not match."""
    found: set[str] = set()
    for term in pattern:
        begins = [word for sequence in term.alternatives for word in _beginnings(sequence, words)]
        if bool(begins) == term.excluded:
            return None
        found.update(begins)
    return found


def _beginnings(sequence: tuple[str, ...], words: Sequence[str]) -> Iterator[str]:
    """Iterate over the first word of each occurrence of a word sequence."""
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


def _is_asked(text: str, words: Sequence[str], count: int) -> bool:
    if "?" in text or count <= _FRAGMENT:
        return True
    begins = True
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        # A label such as "Required: 1,200.00" is a statement.
        if word in _ASKING and following != COLON and not (word == "please" and following in _TELLING):
            return True
        if begins and word in _INVERTED:
            return True
        begins = word in (STOP, COMMA)
    return False


def _wanted(words: Sequence[str]) -> list[list[str]]:
    """Return the words of each sentence part, without the unwanted ones.

    A rejection ("I do not need …") extends to the end of the enumeration, a contrast ("not …", "except …") to the next
    comma.
    """
    parts: list[list[str]] = [[]]
    dropped = ""
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if not dropped and (kind := _drops(words, index)):
            dropped = kind
            if kind == "all":  # "the pension is not needed": the unwanted words come before
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
    return parts


def _drops(words: Sequence[str], index: int) -> str:
    """Return the kind of unwanted part that begins at a word: refusal, contrast, all, or empty if none does."""
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
