"""Search for work items across the projects of the workspace."""

from __future__ import annotations

import re
from typing import Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import is_member, user_id
from teller_gym.office.tracker.tables import ITEMS, PROJECTS, newest_first, workspace

MAX_RESULTS: Final = 100
"""Maximum number of results."""

DEFAULT_RESULTS: Final = 10

_NUMBER = re.compile(r"\b\d+\b")


def search(
    store: Store, user: str, query: str, *, project: str | None = None, limit: int = DEFAULT_RESULTS
) -> list[Record]:
    """Return short records of the work items that match a text, newest first.

    A text matches an item if it is part of its name or of its project's identifier, in any case of letters, or if it
    contains the item's number as a word.

    Args:
        store: the office.
        user: user name of the reader; only projects of which they are a member are searched.
        query: the text; an empty one matches nothing.
        project: id of the only project to search, None for all.
        limit: how many to return, at most `MAX_RESULTS`.

    Returns:
        Records of ``name``, ``id``, ``sequence_id``, ``project__identifier``, ``project_id`` and ``workspace__slug``.

    Raises:
        TrackerError: 403 not in the workspace.
    """
    who = user_id(store, user)
    identifiers = {
        key: str(one["identifier"])
        for key, one in store.rows(PROJECTS)
        if is_member(store, who, key) and project in (None, key)
    }
    if not query:
        return []
    part, numbers = query.casefold(), _NUMBER.findall(query)
    found = [
        item
        for _, item in store.rows(ITEMS)
        if (identifier := identifiers.get(item["project"])) is not None
        and (
            part in identifier.casefold()
            or part in item["name"].casefold()
            or (numbers and str(item["sequence_id"]) in numbers)
        )
    ]
    slug = workspace(store)["slug"]
    return [
        {
            "name": item["name"],
            "id": item["id"],
            "sequence_id": item["sequence_id"],
            "project__identifier": identifiers[item["project"]],
            "project_id": item["project"],
            "workspace__slug": slug,
        }
        for item in newest_first(found)[: min(limit, MAX_RESULTS)]
    ]
