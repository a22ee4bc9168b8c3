"""The query parameters ``fields`` and ``expand``: which fields of a record are sent, and which ids as records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import lite
from teller_gym.office.tracker.tables import ITEMS, LABELS, PROJECTS, STATES, workspace


def present(store: Store, record: Record, fields: Collection[str] = (), expand: Collection[str] = ()) -> Record:
    """Return a record as it is asked for.

    Args:
        store: where ids are looked up.
        record: as the API sends it.
        fields: names of the fields to keep; unknown ones are passed over, none keeps all.
        expand: names of fields whose ids become records; names that cannot be expanded are passed over.
    """
    shown = {name: record[name] for name in record if name in fields} if fields else record
    wanted = [name for name in expand if name in _EXPANSIONS and name in shown]
    if not wanted:
        return shown
    return {**shown, **{name: _expanded(store, _EXPANSIONS[name], shown[name]) for name in wanted}}


def names(parameters: Mapping[str, str], parameter: str) -> list[str]:
    """Return the names in a query parameter, which stand there with commas between them."""
    return [name for name in parameters.get(parameter, "").split(",") if name]


def _expanded(store: Store, expansion: Callable[[Store, str], Record | None], value: Any) -> Any:
    if isinstance(value, list):
        return [found for one in value if (found := expansion(store, one)) is not None]
    return None if value is None else expansion(store, value)


def _parts(table: str, *kept: str) -> Callable[[Store, str], Record | None]:
    def expansion(store: Store, key: str) -> Record | None:
        found = store.get(table, key)
        return None if found is None else {name: found[name] for name in kept}

    return expansion


def _whole(table: str) -> Callable[[Store, str], Record | None]:
    return lambda store, key: store.get(table, key)


def _workspace(store: Store, _: str) -> Record:
    found = workspace(store)
    return {name: found[name] for name in ("name", "slug", "id")}


def _project(store: Store, key: str) -> Record | None:
    found = store.get(PROJECTS, key)
    kept = ("id", "identifier", "name", "cover_image", "icon_prop", "emoji", "description")
    return None if found is None else {**{name: found[name] for name in kept}, "cover_image_url": None}


def _parent(store: Store, key: str) -> Record | None:
    found = store.get(ITEMS, key)
    return None if found is None else {"id": key, "sequence_id": found["sequence_id"], "project_id": found["project"]}


_EXPANSIONS: Final[Mapping[str, Callable[[Store, str], Record | None]]] = {
    "workspace": _workspace,
    "project": _project,
    "state": _parts(STATES, "id", "name", "color", "group"),
    "parent": _parent,
    "issue": _whole(ITEMS),
    "labels": _whole(LABELS),
    "assignees": lite,
    "created_by": lite,
    "updated_by": lite,
    "actor": lite,
    "owned_by": lite,
    "members": lite,
    "default_assignee": lite,
    "project_lead": lite,
}
