"""Search for work items across the projects of the workspace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import project_role, user_id
from teller_gym.office.tracker.fields import MAX_TEXT, Field, boolean, integer, read, reference, text
from teller_gym.office.tracker.filters import read_filters
from teller_gym.office.tracker.items import visible
from teller_gym.office.tracker.tables import ITEMS, PROJECTS, newest_first, workspace

MAX_RESULTS: Final = 100
"""More are never returned: a reader should search for something narrower."""

DEFAULT_RESULTS: Final = 10

_FIELDS: Final[Mapping[str, Field]] = {
    "query": text(MAX_TEXT, blank=True, null=True),
    "limit": integer(1, 1_000_000),
    "project_id": reference(PROJECTS),
    "workspace_search": boolean(),
}

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
    identifiers = _identifiers(store, user_id(store, user), project)
    if not query:
        return []
    slug = workspace(store)["slug"]
    found = _matching(store, identifiers, query)
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


def advanced_search(store: Store, user: str, data: Mapping[str, Any]) -> list[Record]:
    """Return short records of the work items that match a text, conditions or both, newest first.

    Args:
        store: the office.
        user: who searches; only projects that they are a member of are searched.
        data: ``query`` (a text, see `search`), ``filters`` (see `filters`), ``limit`` (at most `MAX_RESULTS`, which is
            also the default), ``project_id``, and ``workspace_search`` (true: ignore ``project_id``).

    Returns:
        Records of ``id``, ``name``, ``sequence_id``, ``project_identifier``, ``project_id``, ``workspace_id``,
        ``type_id``, ``state_id``, ``priority``, ``target_date`` and ``start_date``.

    Raises:
        TrackerError: 400 a field is wrong, 403 not in the workspace.
    """
    who = user_id(store, user)
    values = read(store, data, _FIELDS)
    project = None if values.get("workspace_search") else values.get("project_id")
    identifiers = _identifiers(store, who, project)
    conditions = data.get("filters")
    if not values.get("query") and not conditions:
        return []
    matches = read_filters(conditions or {})
    found = [one for one in _matching(store, identifiers, values.get("query") or "") if matches(store, one)]
    limit = MAX_RESULTS if values.get("limit") is None else values["limit"]
    return [
        {
            "id": item["id"],
            "name": item["name"],
            "sequence_id": item["sequence_id"],
            "project_identifier": identifiers[item["project"]],
            "project_id": item["project"],
            "workspace_id": item["workspace"],
            "type_id": item["type_id"],
            "state_id": item["state"],
            "priority": item["priority"],
            "target_date": item["target_date"],
            "start_date": item["start_date"],
        }
        for item in newest_first(found)[: min(limit, MAX_RESULTS)]
    ]


def _identifiers(store: Store, who: str, project: str | None) -> dict[str, str]:
    """Return the identifiers of the projects to search, by id."""
    return {
        key: one["identifier"]
        for key, one in store.rows(PROJECTS)
        if project_role(store, who, key) and project in (None, key)
    }


def _matching(store: Store, identifiers: Mapping[str, str], query: str) -> list[Record]:
    part, numbers = query.casefold(), _NUMBER.findall(query)
    whole = {key for key, identifier in identifiers.items() if part in identifier.casefold()}
    return [
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
