"""Colleagues' wording: plain, or that of a language model, which may not add anything to the facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, Protocol

from teller_gym.office.chat.attachments import MAX_MESSAGE
from teller_gym.office.chat.profiles import Colleague
from teller_gym.office.chat.tokenizing import MONTHS, figures, tokens

_NAME: Final = re.compile(r"(?<![.?!:]\s)(?<!^)\b[A-Z]\w[\w'’-]*")
"""A capitalised word that does not begin a sentence."""

_NEGATIONS: Final = frozenset(("not", "no", "never", "none", "neither", "nor", "nobody", "nothing", "without"))


class Voice(Protocol):
    """Puts an answer into other words; its facts are chosen without it."""

    def say(self, colleague: Colleague, answer: str, message: str) -> str:
        """Return the answer in the colleague's own words.

        Args:
            colleague: the speaker.
            answer: the facts to say, complete and true.
            message: the message to answer.
        """


def voiced(
    voice: Voice | None, colleague: Colleague, answer: str, values: Sequence[str], message: str, today: date
) -> str:
    """Return a voice's wording of an answer, or the answer itself if the voice fails or changes the facts.

    Args:
        voice: None: the answer itself is returned.
        colleague: the speaker.
        answer: the facts to say.
        values: texts that the wording must contain.
        message: the message to answer.
        today: the day whose year applies to dates without one.
    """
    if voice is None:
        return answer
    try:
        text = voice.say(colleague, answer, message)
    except Exception:  # an unreachable or failing model: the episode continues with the plain answer
        return answer
    return text if isinstance(text, str) and same_facts(text, answer, values, message, today) else answer


def same_facts(text: str, answer: str, values: Sequence[str], message: str, today: date) -> bool:
    """Return True if a text has an answer's values, numbers, dates and names, and no other number.

    A number from the message may be repeated. A text that denies something where the answer denies nothing, or the
    other way round, is not the same answer.
    """
    if not text.strip() or len(text) > MAX_MESSAGE:
        return False
    told, own = figures(text, today), figures(answer, today)
    if not own <= told or not told <= own | figures(message, today):
        return False
    if not _currencies(text) <= _currencies(answer) | _currencies(message):
        return False
    words = _words(text, today)
    names = [name for name in _NAME.findall(answer) if name.casefold() not in MONTHS]  # those of dates are compared
    if any(not _contains(_words(value, today), words) for value in (*values, *names)):
        return False
    denied, plain = (_NEGATIONS & set(some) for some in (words, _words(answer, today)))
    return bool(denied) == bool(plain)


def _words(text: str, today: date) -> tuple[str, ...]:
    return tuple(one.text for one in tokens(text, today) if one.kind == "word")


def _currencies(text: str) -> set[str]:
    return {sign for sign in "£$€" if sign in text}


def _contains(part: Sequence[str], words: Sequence[str]) -> bool:
    """Return True if words occur in others, in a row; a part without words (a number) was compared before."""
    return any(tuple(words[start : start + len(part)]) == tuple(part) for start in range(len(words) - len(part) + 1))
