"""Values in a search: how what is asked for is brought into the form in which records' values compare."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from teller_gym.office.crm.checks import Invalid
from teller_gym.office.crm.checks import text as as_text
from teller_gym.office.crm.errors import bad_request
from teller_gym.office.crm.scope import Read
from teller_gym.office.crm.values import date_text, datetime_text, number
from teller_gym.office.store import Record

Test = Callable[[Record], bool]

MAX_PATTERN: Final = 500
"""Characters of a pattern: twice what a varchar holds."""


def normal(read: Read, value: Any) -> Any:
    """Return a value that is asked for as it compares with the attribute's: text in lower case, numbers as numbers.

    Raises:
        CrmError: 400, it cannot be compared with the attribute.
    """
    try:
        return _normal(read.kind, value)
    except Invalid:
        raise bad_request(f"Bad where item. '{read.name}' does not compare with {value!r:.60}.") from None


def _normal(kind: str, value: Any) -> Any:
    if kind in ("int", "float"):
        return number(value)
    if kind == "bool":
        if value in (True, "true", "1"):
            return True
        if value in (False, "false", "0"):
            return False
        raise Invalid("valid")
    if kind == "list":
        raise Invalid("valid")
    if kind == "date":
        if isinstance(value, str) and len(value) > 10:
            moment = datetime_text(value)
            return moment[:10] if moment.endswith(" 00:00:00") else moment
        return date_text(value)
    if kind == "datetime":
        if isinstance(value, str) and len(value) == 10:
            return f"{date_text(value)} 00:00:00"
        return datetime_text(value)
    return as_text(value).casefold()


def texts(read: Read, record: Record) -> Sequence[Any]:
    """Return the values of an attribute as they compare: none, one, or of a name in parts all that it may go by."""
    found = read.get(record)
    if found is None:
        return ()
    if read.kind != "person":
        return (found.casefold(),) if isinstance(found, str) else (found,)
    first, last = (record["firstName"] or "").casefold(), (record["lastName"] or "").casefold()
    if first and last:
        return first, last, f"{first} {last}", f"{last} {first}"
    return (first or last,)


@lru_cache(maxsize=256)
def like(pattern: str) -> Callable[[str], bool]:
    """Return a test of text, in lower case, against SQL's LIKE.

    % is any text, _ one character, and a backslash takes the next one as it is. What stands between the % is looked
    for from left to right, so that no pattern takes longer than its length times the text's.

    Raises:
        CrmError: 400, the pattern is longer than `MAX_PATTERN`.
    """
    if len(pattern) > MAX_PATTERN:
        raise bad_request(f"Bad where item. A pattern has at most {MAX_PATTERN} characters.")
    pieces: list[list[str]] = [[]]
    escaped = False
    for letter in pattern.casefold():
        if escaped or letter not in "%_\\":
            pieces[-1].append(re.escape(letter))
            escaped = False
        elif letter == "\\":
            escaped = True
        elif letter == "%":
            pieces.append([])
        else:
            pieces[-1].append(".")
    if escaped:
        pieces[-1].append(re.escape("\\"))
    compiled = [re.compile("".join(piece), re.DOTALL) for piece in pieces]
    if len(compiled) == 1:
        return lambda text: compiled[0].fullmatch(text) is not None
    return partial(_in_order, compiled, len(pieces[-1]))


def _in_order(pieces: Sequence[re.Pattern[str]], tail: int, text: str) -> bool:
    """Whether a text begins with the first piece, ends with the last (so many characters) and has the rest between."""
    found = pieces[0].match(text)
    for piece in pieces[1:-1]:
        if found is None:
            return False
        found = piece.search(text, found.end())
    start = len(text) - tail
    return found is not None and found.end() <= start and pieces[-1].match(text, start) is not None
