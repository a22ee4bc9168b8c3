"""Fields that all records share: ids, times and authors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from teller_gym.office.ids import uuid_id
from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.errors import not_found
from teller_gym.office.tracker.tables import workspace


def stamp(moment: datetime) -> str:
    """Return a time as the API writes it."""
    return f"{moment.isoformat()}Z"


def tick(store: Store) -> str:
    """Return the time of a call that writes; all its records have the same."""
    return stamp(store.tick())


def new_id(store: Store, kind: str) -> str:
    """Return an id for a new record."""
    return uuid_id(store.seed, f"tracker.{kind}", store.count(f"tracker.{kind}"))


def audit(store: Store, kind: str, who: str, now: str, project: str) -> Record:
    """Return the fields with which a new record of a project begins."""
    return begin(new_id(store, kind), who, now, project, workspace(store)["id"])


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


def in_project(store: Store, table: str, key: str, project: str) -> Record:
    """Return a record of a project.

    Raises:
        TrackerError: 404.
    """
    found = store.get(table, key)
    if found is None or found["project"] != project:
        raise not_found()
    return found
