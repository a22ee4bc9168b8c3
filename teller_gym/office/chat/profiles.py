"""Colleagues who answer, as data: what they know, to whom they tell it, and when they are there."""

from __future__ import annotations

import string
from collections.abc import Container, Mapping
from datetime import date, time
from typing import Any, Final

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.office.chat.intents import parse_pattern

MAX_ANSWER: Final = 500
"""Characters of a fact, filled in: so that the most facts of one reply stay within one message."""

MAX_REFUSAL: Final = 300
"""Characters of a refusal or a question back."""

MAX_TOPIC: Final = 80
"""Characters of a topic: a hint names a dozen of them."""

MAX_FIRST_NAME: Final = 40
"""Characters of a first name as it is put into answers."""

MAX_FACTS: Final = 8
"""Facts in one reply; who asks for more at once has to ask again."""

ASKER: Final = "asker"
"""The placeholder that stands for the first name of who asks."""


class Release(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """To whom a fact is told, and after what question.

    Attributes:
        asked_by: user names of who may know; empty: all of them.
        members_of: names of channels or groups whose members may know as well as `asked_by`; empty: no further ones.
        about: patterns of which the question has to fit one, such as a client's name or a date; empty: none has to.
        clarify: what is said to a question that fits no pattern of `about`; empty: the usual question back.
        direct_only: only in a direct message, never where others read along.
        refusal: what is said to others; empty: the usual refusal.
    """

    asked_by: tuple[str, ...] = ()
    members_of: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    clarify: str = ""
    direct_only: bool = False
    refusal: str = ""


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that a colleague knows.

    Attributes:
        key: names it; one of a colleague's kind.
        asks: patterns of the questions that ask for it (see `intents.parse_pattern`); one has to fit.
        answer: a template with the names of `values` (and ``asker``) in braces.
        values: what makes the fact: a text that leaves one of them out does not tell it.
        topic: how a hint says that it can be asked for, such as "my calendar in March"; empty: no hint tells of it.
        release: to whom it is told.
    """

    key: str
    asks: tuple[str, ...]
    answer: str
    values: dict[str, str] = {}
    topic: str = ""
    release: Release = Release()


class Absence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Days on which someone is away.

    Attributes:
        first: the first of them.
        last: the last of them.
        reason: such as "on leave"; empty: none is given.
    """

    first: date
    last: date
    reason: str = ""


class WorkingHours(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When someone works, in UTC.

    Attributes:
        start: from when.
        end: until when.
        days: of the week, Monday being 0.
    """

    start: time = time(0, 0)
    end: time = time(23, 59, 59)
    days: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)


class Colleague(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Someone who answers.

    Attributes:
        username: under which they are in the chat.
        role: what they do, such as "paraplanner"; a voice may use it.
        facts: what they know.
        hours: when they work; by default always.
        absences: when they are away.
        deputy: user name of who stands in for them; empty: nobody.
        manner: how they talk, for a voice; plain texts do not depend on it.
    """

    username: str
    role: str
    facts: tuple[Fact, ...]
    hours: WorkingHours = WorkingHours()
    absences: tuple[Absence, ...] = ()
    deputy: str = ""
    manner: str = ""


def to_record(colleague: Colleague) -> dict[str, Any]:
    """Return a colleague as the store keeps them."""
    value: dict[str, Any] = msgspec.to_builtins(colleague)
    return value


def from_record(record: Mapping[str, Any]) -> Colleague:
    """Return a colleague from the store."""
    return msgspec.convert(record, Colleague)


def filled(fact: Fact, asker: str) -> str:
    """Return a fact's answer to someone of this first name."""
    return fact.answer.format_map({**fact.values, ASKER: asker})


def check_colleague(colleague: Colleague, usernames: Container[str]) -> None:
    """Check what a profile says against itself and against who is in the chat.

    Raises:
        OptionError: someone is unknown, a pattern or template is malformed, or keys repeat.
    """
    where = f"colleague {colleague.username}"
    for name in filter(None, (colleague.username, colleague.deputy)):
        if name not in usernames:
            raise OptionError(f"{where}: there is no user {name}")
    keys = [fact.key for fact in colleague.facts]
    if len(set(keys)) < len(keys):
        raise OptionError(f"{where}: two facts have one key among {', '.join(sorted(keys))}")
    for fact in colleague.facts:
        _check_fact(f"{where}, fact {fact.key}", fact, usernames)
    if colleague.hours.start >= colleague.hours.end or not set(colleague.hours.days) <= set(range(7)):
        raise OptionError(f"{where}: expected hours that begin before they end, on days 0 to 6, got {colleague.hours}")
    if any(one.first > one.last for one in colleague.absences):
        raise OptionError(f"{where}: an absence ends before it begins")


def _check_fact(where: str, fact: Fact, usernames: Container[str]) -> None:
    if not fact.asks:
        raise OptionError(f"{where}: expected at least one pattern of questions")
    for pattern in (*fact.asks, *fact.release.about):
        parse_pattern(pattern)
    try:
        names = [name for _, name, spec, _ in string.Formatter().parse(fact.answer) if name is not None and not spec]
    except ValueError as error:
        raise OptionError(f"{where}: the answer is no template: {error}") from None
    unknown = [name for name in names if name != ASKER and name not in fact.values]
    unused = [name for name in fact.values if name not in names]
    if unknown or unused:
        raise OptionError(
            f"{where}: the answer has {unknown or 'no'} unknown names and does not use {unused or 'none'}"
        )
    sizes = (
        ("answer", filled(fact, "x" * MAX_FIRST_NAME), MAX_ANSWER),
        ("topic", fact.topic, MAX_TOPIC),
        ("refusal", fact.release.refusal, MAX_REFUSAL),
        ("clarify", fact.release.clarify, MAX_REFUSAL),
    )
    for name, text, most in sizes:
        if len(text) > most:
            raise OptionError(f"{where}: expected {name} of at most {most} characters, got {len(text)}")
    for name in fact.release.asked_by:
        if name not in usernames:
            raise OptionError(f"{where}: there is no user {name}")
