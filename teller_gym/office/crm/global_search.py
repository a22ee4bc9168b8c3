"""Search over several entities."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.office.crm.errors import CrmError, bad_request
from teller_gym.office.crm.schema import schema
from teller_gym.office.crm.search import HAS_MORE, MAX_SIZE, NO_MORE, search
from teller_gym.office.store import Store

_SEARCHED: Final = ("Account", "Contact", "Lead", "Opportunity", "Case", "Task", "Meeting", "Call", "Document")
"""Searched entities, in the order of the results; an office's own entities follow."""

FOUND: Final = 20
"""Default number of results."""


def global_search(store: Store, user: str, text: str, offset: int = 0, max_size: int = FOUND) -> dict[str, Any]:
    """Return the records of several entities that a text filter finds: ``id``, ``name`` and ``_scope``, the entity.

    Args:
        store: the office.
        user: a user name; entities that are closed to this user are skipped.
        text: see `text_filter.text_filter`.
        offset: number of records to skip.
        max_size: number of records to return, at most `MAX_SIZE`.

    Returns:
        ``{"total": n, "list": [...]}``, with -1 as the total if there are more and -2 if not.

    Raises:
        CrmError: 400 (no text, or a number out of range), 401.
    """
    if not text.strip():
        raise bad_request("No q parameter.")
    if not (0 <= offset <= MAX_SIZE and 0 < max_size <= MAX_SIZE):
        raise bad_request(f"Expected an offset from 0 to {MAX_SIZE} and a maxSize from 1 to {MAX_SIZE}.")
    wanted, found = offset + max_size, list[dict[str, Any]]()
    own = [name for name in schema(store) if name.startswith("C") and name[1:2].isupper()]
    for name in (*_SEARCHED, *own):
        found += _of(store, user, name, text, wanted + 1)
        if len(found) > wanted:
            break
    return {"total": HAS_MORE if len(found) > wanted else NO_MORE, "list": found[offset:wanted]}


def _of(store: Store, user: str, name: str, text: str, count: int) -> list[dict[str, Any]]:
    params: dict[str, Any] = {"textFilter": text, "maxSize": min(count, MAX_SIZE)}
    if "name" in schema(store)[name].attributes:
        params |= {"orderBy": "name", "order": "asc"}
    try:
        found = search(store, user, name, params)["list"]
    except CrmError as error:
        if error.status != 403:
            raise
        return []
    return [{"id": one["id"], "name": one.get("name"), "_scope": name} for one in found]
