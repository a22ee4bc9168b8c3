"""A case moved to another date: every date in it moves by the same number of days."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import msgspec

from teller_gym.procedure.scenario import Draft

_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")


def moved(draft: Draft, today: date) -> Draft:
    """Return a draft as it would be on another date; nothing that is counted in days or weeks changes, but holidays."""
    days = (today - draft.today).days
    if not days:
        return draft
    return msgspec.structs.replace(
        draft, today=today, request=_moved(draft.request, days), tables=_moved(draft.tables, days)
    )


def _moved(value: Any, days: int) -> Any:
    if isinstance(value, str):
        return _DATE.sub(lambda match: _later(match[1], days), value)
    if isinstance(value, dict):
        return {_moved(key, days): _moved(item, days) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_moved(item, days) for item in value]
    return value


def _later(text: str, days: int) -> str:
    try:
        return (date.fromisoformat(text) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return text  # looks like a date and is none
