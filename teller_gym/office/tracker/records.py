"""What all records share: ids, times, who wrote them, and the ids that they have in other systems."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from teller_gym.office.ids import uuid_id
from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.errors import conflict, not_found
from teller_gym.office.tracker.fields import Field, text
from teller_gym.office.tracker.tables import workspace

EXTERNAL: Final[Mapping[str, Field]] = {
    "external_source": text(blank=True, null=True),
    "external_id": text(blank=True, null=True),
}
"""The fields that say which record of another system this is."""


def stamp(moment: datetime) -> str:
    """Return a time as the API writes it."""
    return f"{moment.isoformat()}Z"


def tick(store: Store) -> str:
    """Return the time of a call that writes. All that one call writes has the same."""
    return stamp(store.tick())


def new_id(store: Store, kind: str) -> str:
    """Return an id for a new record."""
    return uuid_id(store.seed, f"tracker.{kind}", store.count(f"tracker.{kind}"))


def audit(store: Store, kind: str, who: str, now: str, project: str) -> Record:
    """Return what a new record of a project begins with."""
    return {
        "id": new_id(store, kind),
        "created_at": now,
        "updated_at": now,
        "deleted_at": None,
        "created_by": who,
        "updated_by": who,
        "project": project,
        "workspace": workspace(store)["id"],
    }


def changed(record: Record, who: str, now: str, values: Mapping[str, Any]) -> Record:
    """Return a new record with other values, and who changed it when."""
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


def with_external_id(store: Store, table: str, project: str, source: str, external_id: str) -> Record | None:
    """Return the record of a project that is known to another system by this id."""
    for _, record in store.rows(table):
        if (record["external_id"], record["external_source"], record["project"]) == (external_id, source, project):
            return record
    return None


def refuse_duplicate(
    store: Store, table: str, what: str, project: str, values: Mapping[str, Any], before: Record | None = None
) -> None:
    """See to it that no two records of a project have the same external id and source.

    Args:
        store: the office.
        table: where the records are.
        what: how the message names them.
        project: its id.
        values: what was sent.
        before: the record that is changed, None for a new one.

    Raises:
        TrackerError: 409.
    """
    if not ("external_id" in values or "external_source" in values):
        return
    both = {**(before or {}), **values}
    external_id, source = both.get("external_id"), both.get("external_source")
    if external_id and source:
        other = with_external_id(store, table, project, source, external_id)
        if other is not None and (before is None or other["id"] != before["id"]):
            raise conflict(what, other["id"])
