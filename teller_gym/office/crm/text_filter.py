"""The text filter of a search."""

from __future__ import annotations

from typing import Final

from teller_gym.office.crm.errors import bad_request
from teller_gym.office.crm.scope import Scope, reader
from teller_gym.office.crm.terms import Test, like, texts

MAX_LENGTH: Final = 200
"""Maximum number of characters of a text filter."""

_CONTAINS_FROM: Final = 4
"""Length from which a filter is searched anywhere in long text; shorter ones only match its beginning."""


def text_filter(scope: Scope, wanted: str) -> Test:
    """Return a test for a text at the beginning of one of the entity's text filter fields, or anywhere in long text.

    An asterisk matches any text; a filter with an asterisk is matched as it is.

    Raises:
        CrmError: 400, the filter is longer than `MAX_LENGTH`.
    """
    if len(wanted) > MAX_LENGTH:
        raise bad_request(f"Bad text filter. It has at most {MAX_LENGTH} characters.")
    tests = [test for name in scope.entity.about.text_filter if (test := _in_field(scope, name, wanted)) is not None]
    return lambda record: any(test(record) for test in tests)


def _in_field(scope: Scope, name: str, wanted: str) -> Test | None:
    field, read = scope.entity.fields[name], reader(scope, name)
    if read.kind == "int":
        number = int(wanted) if wanted.isascii() and wanted.isdigit() else None
        return None if number is None else (lambda record: bool(record[name] == number))
    if field.type == "email" and " " in wanted:
        return None
    pattern = wanted.replace("\\", "\\\\")
    if "*" in wanted:
        pattern = pattern.replace("*", "%")
    elif field.type in ("text", "wysiwyg") and len(wanted) >= _CONTAINS_FROM:
        pattern = f"%{pattern}%"
    else:
        pattern = f"{pattern}%"
    matches = like(pattern)
    return lambda record: any(matches(one) for one in texts(read, record))
