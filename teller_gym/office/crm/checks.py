"""Shared parts of the checks of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Given = Mapping[str, Any]
"""Given attributes, by name."""

DEFAULT_LENGTH: Final = 255
"""Default maximum length of a varchar, as in EspoCRM."""


class Invalid(Exception):  # noqa: N818 (it is not an error of ours; the caller turns it into one of the API's)
    """A value fails a check; the text is the kind of check, such as maxLength."""


def text(value: Any) -> str:
    """Return a scalar as text, as EspoCRM casts it.

    Raises:
        Invalid: it is a list or an object, or text that cannot be encoded.
    """
    if isinstance(value, str):
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise Invalid("valid") from None
        return value
    if isinstance(value, bool):
        return "1" if value else ""
    if isinstance(value, int | float):
        return str(value)
    raise Invalid("valid")
