"""Names of the tracker's tables, and the common fields of their records.

Except for users and sequences, a record is in the API's format. An office has one workspace. Ids are UUIDs, times are
texts such as ``2026-03-02T09:00:00Z``.
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
"""Table with one row, ``workspace``: ``id``, ``name``, ``slug``."""

LOGINS: Final = "tracker.logins"
"""Table of tracker user ids by user name: ``id``."""

USERS: Final = "tracker.users"
"""Table of users by id: ``role`` in the workspace and ``lite``, the user's public fields."""

MEMBERS: Final = "tracker.members"
"""Table of project members by ``project:user``: ``id``, ``project``, ``member``, ``role`` and ``sort_order``."""

PROJECTS: Final = "tracker.projects"
"""Table of projects by id. Counts and fields that depend on the reader are added when a project is shown."""

STATES: Final = "tracker.states"
ITEMS: Final = "tracker.items"
COMMENTS: Final = "tracker.comments"
ACTIVITIES: Final = "tracker.activities"
SEQUENCES: Final = "tracker.sequences"
"""Table of item numbers by project: ``last``, the highest number of an initial item. It is never written to."""


@cache
def new_records() -> dict[str, dict[str, Any]]:
    """Load the default fields of new projects and items from ``new_records.yaml``."""
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
    """Return a table's records in one project, oldest first."""
    return [record for _, record in store.rows(table) if record["project"] == project]


def of_item(store: Store, table: str, item: str) -> list[Record]:
    """Return a table's records on one work item, oldest first."""
    return [record for _, record in store.rows(table) if record["issue"] == item]


def newest_first(records: list[Record]) -> list[Record]:
    """Sort records by creation, newest first.

    Within a second, those written later come first.
    """
    return sorted(records, key=itemgetter("created_at"))[::-1]


def in_project(store: Store, table: str, key: str, project: str) -> Record:
    """Return a record of a project.

    Raises:
        TrackerError: 404 if the record does not exist.
    """
    found = store.get(table, key)
    if found is None or found["project"] != project:
        raise not_found()
    return found


def stamp(moment: datetime) -> str:
    """Format a time as the API does."""
    return f"{moment.isoformat()}Z"


def tick(store: Store) -> str:
    """Advance the clock for a call that writes, and return the time for all its records."""
    return stamp(store.tick())


def audit(store: Store, kind: str, who: str, now: str, project: str) -> Record:
    """Return the common fields of a project's records for a new record, with a new id."""
    key = uuid_id(store.seed, f"tracker.{kind}", store.count(f"tracker.{kind}"))
    return begin(key, who, now, project, workspace(store)["id"])


def begin(key: str, who: str, now: str, project: str, workspace_id: str) -> Record:
    """Return the common fields of a project's records."""
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
    """Return a record with changed values, and with the user and time of the change."""
    return {**record, **values, "updated_at": now, "updated_by": who}
