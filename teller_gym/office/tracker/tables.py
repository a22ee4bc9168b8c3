"""The tracker's tables. Apart from those of users and sequences, a record is what the API sends, field by field.

An office has one workspace. Ids are UUIDs, times are texts such as ``2026-03-02T09:00:00Z``.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Final

from teller_gym.office.store import Record, Store

WORKSPACE: Final = "tracker.workspace"
"""One row, ``workspace``: ``id``, ``name``, ``slug``."""

LOGINS: Final = "tracker.logins"
"""By user name of the office's people: ``id`` of the tracker's user."""

USERS: Final = "tracker.users"
"""By id: ``role`` in the workspace and ``lite``, the user as the API shows one."""

MEMBERS: Final = "tracker.members"
"""Of projects, by ``project:user``: ``id``, ``project``, ``member``, ``role`` and ``sort_order`` of the project."""

PROJECTS: Final = "tracker.projects"
"""By id; counts and fields that depend on the reader are added where a project is shown."""

STATES: Final = "tracker.states"
ITEMS: Final = "tracker.items"
COMMENTS: Final = "tracker.comments"
ACTIVITIES: Final = "tracker.activities"
ATTACHMENTS: Final = "tracker.attachments"
"""Files by id: what the API sends, and the bytes as ``content``, None until they are uploaded."""

SEQUENCES: Final = "tracker.sequences"
"""By project: ``last``, the highest number given before the office's day; never written after that."""

_CREATED_AT: Final = itemgetter("created_at")


def workspace(store: Store) -> Record:
    """Return the workspace.

    Raises:
        KeyError: the office has no tracker.
    """
    found = store.get(WORKSPACE, "workspace")
    if found is None:
        raise KeyError(WORKSPACE)
    return found


def of_project(store: Store, table: str, project: str) -> list[Record]:
    """Return a table's records of one project, oldest first."""
    return [record for _, record in store.rows(table) if record["project"] == project]


def of_item(store: Store, table: str, item: str) -> list[Record]:
    """Return a table's records about one work item, oldest first."""
    return [record for _, record in store.rows(table) if record["issue"] == item]


def newest_first(records: list[Record]) -> list[Record]:
    """Return records in the order of most lists; of two of the same second, the one written later comes first."""
    found = sorted(records, key=_CREATED_AT)
    found.reverse()
    return found
