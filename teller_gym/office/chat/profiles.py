"""Profiles of the colleagues who answer: their facts, absences and deputies."""

from __future__ import annotations

import string
from collections.abc import Container, Mapping
from datetime import date
from typing import Any, Final

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.office.chat.intents import parse_pattern

MAX_ANSWER: Final = 500
"""Maximum length of a fact's answer in characters, so that the `MAX_FACTS` answers of a reply fit into one message."""

MAX_TOPIC: Final = 80
"""Maximum length of a topic in characters."""

MAX_FIRST_NAME: Final = 40
"""Maximum length of a first name in answers, in characters."""

MAX_FACTS: Final = 8
"""Maximum number of facts in one reply. The asker has to ask again for more."""

ASKER: Final = "asker"
"""Placeholder for the asker's first name."""


_RELEASE: Final = {"asked_by": [], "members_of": [], "about": [], "clarify": "", "refusal": ""}
_HOURS: Final = {"start": "00:00:00", "end": "23:59:59", "days": [0, 1, 2, 3, 4, 5, 6]}


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that a colleague knows.

    Attributes:
        key: name of the fact, unique among the colleague's facts.
        asks: question patterns (see `intents.parse_pattern`), one of which has to match.
        answer: a template with the names of `values` (and ``asker``) in braces.
        values: texts to fill into the answer, by name.
        topic: name of the fact in hints, such as "my calendar in March"; empty to leave it out of hints.
        direct_only: True to state the fact only in direct messages, where others cannot read it.
    """

    key: str
    asks: tuple[str, ...]
    answer: str
    values: dict[str, str] = {}
    topic: str = ""
    direct_only: bool = False


class Absence(msgspec.Struct, frozen=True, kw_only=True):
    """Days on which a colleague is away, from ``first`` to ``last``.

    ``reason`` (such as "on leave") may be empty.
    """

    first: date
    last: date
    reason: str = ""


class Colleague(msgspec.Struct, frozen=True, kw_only=True):
    """A colleague who answers.

    Attributes:
        username: user name in the chat.
        role: job title, such as "paraplanner"; answers do not depend on it.
        facts: facts that the colleague knows.
        absences: days on which the colleague is away.
        deputy: user name of the deputy; empty if there is none.
    """

    username: str
    role: str
    facts: tuple[Fact, ...]
    absences: tuple[Absence, ...] = ()
    deputy: str = ""


def to_record(colleague: Colleague) -> dict[str, Any]:
    """Convert a colleague to a record.

    The record includes constants for unused rules, since the checksums of the frozen offices cover them.
    """
    value: dict[str, Any] = msgspec.to_builtins(colleague)
    for fact in value["facts"]:
        fact["release"] = {**_RELEASE, "direct_only": fact.pop("direct_only")}
    return {**value, "manner": "", "hours": _HOURS}


def from_record(record: Mapping[str, Any]) -> Colleague:
    """Convert a record back to a colleague."""
    facts = [{**fact, "direct_only": fact["release"]["direct_only"]} for fact in record["facts"]]
    return msgspec.convert({**record, "facts": facts}, Colleague)


def filled(fact: Fact, asker: str) -> str:
    """Return a fact's answer, filled in for an asker with this first name."""
    return fact.answer.format_map({**fact.values, ASKER: asker})


def check_colleague(colleague: Colleague, usernames: Container[str]) -> None:
    """Check that a profile is consistent and names only users of the chat.

    Raises:
        OptionError: a user is unknown, a pattern or template is malformed, or keys repeat.
    """
    where = f"colleague {colleague.username}"
    for name in filter(None, (colleague.username, colleague.deputy)):
        if name not in usernames:
            raise OptionError(f"{where}: there is no user {name}")
    keys = [fact.key for fact in colleague.facts]
    if len(set(keys)) < len(keys):
        raise OptionError(f"{where}: two facts have one key among {', '.join(sorted(keys))}")
    for fact in colleague.facts:
        _check_fact(f"{where}, fact {fact.key}", fact)
    if any(one.first > one.last for one in colleague.absences):
        raise OptionError(f"{where}: an absence ends before it begins")


def _check_fact(where: str, fact: Fact) -> None:
    if not fact.asks:
        raise OptionError(f"{where}: expected at least one pattern of questions")
    for pattern in fact.asks:
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
    )
    for name, text, most in sizes:
        if len(text) > most:
            raise OptionError(f"{where}: expected {name} of at most {most} characters, got {len(text)}")
