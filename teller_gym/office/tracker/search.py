"""Search for work items across the projects of the workspace."""

from __future__ import annotations

import re
from typing import Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import project_role, user_id
from teller_gym.office.tracker.items import visible
from teller_gym.office.tracker.tables import ITEMS, PROJECTS, newest_first, workspace

MAX_RESULTS: Final = 100
"""More are never returned: a reader should search for something narrower."""

DEFAULT_RESULTS: Final = 10

_NUMBER = re.compile(r"\b\d+\b")


def search(
    store: Store, user: str, query: str, *, project: str | None = None, limit: int = DEFAULT_RESULTS
) -> list[Record]:
    """Return short records of the work items that match a text, newest first.

    A text matches an item if it is part of its name or of its project's identifier, whatever the case of its letters,
    or if it contains the item's number as a word.

    Args:
        store: the office.
        user: who searches; only projects of which one is a member are searched.
        query: the text; an empty one matches nothing.
        project: id of the only project to search, None for all.
        limit: how many to return, at most `MAX_RESULTS`.

    Returns:
        Records of ``name``, ``id``, ``sequence_id``, ``project__identifier``, ``project_id`` and ``workspace__slug``.

    Raises:
        TrackerError: 403 not in the workspace.
    """
    who = user_id(store, user)
    if not query:
        return []
    part, numbers = query.casefold(), _NUMBER.findall(query)
    slug = workspace(store)["slug"]
    identifiers = {
        key: one["identifier"]
        for key, one in store.rows(PROJECTS)
        if project_role(store, who, key) and project in (None, key)
    }
    whole = {key for key, identifier in identifiers.items() if part in identifier.casefold()}
    found = [
        item
        for _, item in store.rows(ITEMS)
        if item["project"] in identifiers
        and (
            item["project"] in whole
            or part in item["name"].casefold()
            or (numbers and str(item["sequence_id"]) in numbers)
        )
        and visible(item)
    ]
    return [
        {
            "name": item["name"],
            "id": item["id"],
            "sequence_id": item["sequence_id"],
            "project__identifier": identifiers[item["project"]],
            "project_id": item["project"],
            "workspace__slug": slug,
        }
        for item in newest_first(found)[: max(0, min(limit, MAX_RESULTS))]
    ]
