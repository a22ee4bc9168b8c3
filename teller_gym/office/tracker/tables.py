"""The tracker's tables, and the fields that their records share.

Apart from the records of users and sequences, a record is what the API sends, field by field. An office has one
workspace. Ids are UUIDs, times are texts such as ``2026-03-02T09:00:00Z``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from operator import itemgetter
from typing import Any, Final

import yaml

from teller_gym.office.ids import uuid_id
from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.errors import not_found

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
SEQUENCES: Final = "tracker.sequences"
"""By project: ``last``, the highest number given before the office's day; never written after that."""


@cache
def new_records() -> dict[str, dict[str, Any]]:
    """Return the fields of new projects and items, from ``new_records.yaml``."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(
        files(__package__).joinpath("new_records.yaml").read_text(encoding="utf-8")
    )
    return found


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
    return sorted(records, key=itemgetter("created_at"))[::-1]


def in_project(store: Store, table: str, key: str, project: str) -> Record:
    """Return a record of a project, which has to exist (404)."""
    found = store.get(table, key)
    if found is None or found["project"] != project:
        raise not_found()
    return found


def stamp(moment: datetime) -> str:
    """Return a time as the API writes it."""
    return f"{moment.isoformat()}Z"


def tick(store: Store) -> str:
    """Return the time of a call that writes; all its records have the same."""
    return stamp(store.tick())


def audit(store: Store, kind: str, who: str, now: str, project: str) -> Record:
    """Return the fields with which a new record of a project begins."""
    key = uuid_id(store.seed, f"tracker.{kind}", store.count(f"tracker.{kind}"))
    return begin(key, who, now, project, workspace(store)["id"])


def begin(key: str, who: str, now: str, project: str, workspace_id: str) -> Record:
    """Return the fields with which a record with a given id begins."""
    return {
        "id": key,
        "created_at": now,
        "updated_at": now,
        "deleted_at": None,
        "created_by": who,
        "updated_by": who,
        "project": project,
        "workspace": workspace_id,
    }


def changed(record: Record, who: str, now: str, values: Mapping[str, Any]) -> Record:
    """Return a record with other values, the user who changed it and the time of the change."""
    return {**record, **values, "updated_at": now, "updated_by": who}
