"""The query parameters ``fields`` and ``expand``: the fields of a record that are sent, and ids sent as records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import lite
from teller_gym.office.tracker.tables import PROJECTS, STATES


def present(store: Store, record: Record, fields: Collection[str] = (), expand: Collection[str] = ()) -> Record:
    """Return a record in the form that a client asks for.

    Args:
        store: where ids are looked up.
        record: as the API sends it.
        fields: names of the fields to keep; unknown ones are ignored, none keeps all.
        expand: names of fields whose ids become records; names that cannot be expanded are ignored.
    """
    shown = {name: record[name] for name in record if name in fields} if fields else record
    wanted = [name for name in expand if name in _EXPANSIONS and name in shown]
    return {**shown, **{name: _expanded(store, _EXPANSIONS[name], shown[name]) for name in wanted}}


def names(parameters: Mapping[str, str], parameter: str) -> list[str]:
    """Return the names in a query parameter, which are separated by commas."""
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


_EXPANSIONS: Final[Mapping[str, Callable[[Store, str], Record | None]]] = {
    "project": _parts(PROJECTS, "id", "identifier", "name", "cover_image", "icon_prop", "emoji", "description"),
    "state": _parts(STATES, "id", "name", "color", "group"),
    "assignees": lite,
    "created_by": lite,
    "updated_by": lite,
    "actor": lite,
    "project_lead": lite,
}
