"""How colleagues talk: plainly, or in the words of a language model that may add nothing to what it is to tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, Protocol

from teller_gym.office.chat.attachments import MAX_MESSAGE
from teller_gym.office.chat.profiles import Colleague
from teller_gym.office.chat.tokenizing import MONTHS, figures, tokens

_NAME: Final = re.compile(r"(?<![.?!:]\s)(?<!^)\b[A-Z]\w[\w'’-]*")
"""A word with a capital that does not begin a sentence."""

_NEGATIONS: Final = frozenset(("not", "no", "never", "none", "neither", "nor", "nobody", "nothing", "without"))


class Voice(Protocol):
    """Puts into words what was decided without it."""

    def say(self, colleague: Colleague, answer: str, message: str) -> str:
        """Return the answer in the colleague's own words.

        Args:
            colleague: who talks.
            answer: what is to be told, complete and true.
            message: what it answers.
        """


def voiced(
    voice: Voice | None, colleague: Colleague, answer: str, values: Sequence[str], message: str, today: date
) -> str:
    """Return what a voice makes of an answer, or the answer itself if the voice fails or changes what is told.

    Args:
        voice: None: the answer itself.
        colleague: who talks.
        answer: what is to be told.
        values: texts that have to stand in what is said.
        message: what it answers.
        today: of dates without a year.
    """
    if voice is None:
        return answer
    try:
        text = voice.say(colleague, answer, message)
    except Exception:  # a model that cannot be reached or breaks off: the episode goes on with the plain answer
        return answer
    return text if isinstance(text, str) and tells(text, answer, values, message, today) else answer


def tells(text: str, answer: str, values: Sequence[str], message: str, today: date) -> bool:
    """Whether a text tells what an answer does: its values, numbers, dates and names, and no other number.

    A number that stands in the message may be repeated. A text that denies something where the answer denies nothing,
    or the other way round, does not tell the same.
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
    if any(not _stands(_words(value, today), words) for value in (*values, *names)):
        return False
    denied, plain = (_NEGATIONS & set(some) for some in (words, _words(answer, today)))
    return bool(denied) == bool(plain)


def _words(text: str, today: date) -> tuple[str, ...]:
    return tuple(one.text for one in tokens(text, today) if one.kind == "word")


def _currencies(text: str) -> set[str]:
    return {sign for sign in "£$€" if sign in text}


def _stands(part: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words stand in others, in a row; what has no words (a number) was compared already."""
    return any(tuple(words[start : start + len(part)]) == tuple(part) for start in range(len(words) - len(part) + 1))
