"""Search over several entities."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.schema import schema
from teller_gym.office.crm.search import search
from teller_gym.office.store import Store

_SEARCHED: Final = ("Account", "Contact", "Lead", "Opportunity", "Case", "Task", "Meeting", "Call", "Document")
"""Searched entities, in the order of the results; an office's own entities follow."""

MAX_FOUND: Final = 50
"""Maximum number of results."""


def global_search(store: Store, user: str, text: str) -> list[dict[str, Any]]:
    """Return the records of several entities that a text filter finds: ``id``, ``name`` and ``_scope``, the entity.

    Entities that are closed to the user are skipped.

    Raises:
        CrmError: 400 (the text is too long), 401.
    """
    found = list[dict[str, Any]]()
    own = [name for name in schema(store) if name.startswith("C") and name[1:2].isupper()]
    for name in (*_SEARCHED, *own):
        params: dict[str, Any] = {"textFilter": text, "maxSize": MAX_FOUND - len(found)}
        if "name" in schema(store)[name].attributes:
            params |= {"orderBy": "name", "order": "asc"}
        try:
            rows = search(store, user, name, params)["list"]
        except CrmError as error:
            if error.status != 403:
                raise
            continue
        found += [{"id": one["id"], "name": one.get("name"), "_scope": name} for one in rows]
    return found
