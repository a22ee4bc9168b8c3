"""CRM pages: entities, lists, records with linked records, and forms for records and notes."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.office.crm import links, records, search, stream
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.labels import label, plural
from teller_gym.office.crm.schema import Entity, entity_of, schema
from teller_gym.office.pages.crm_forms import inputs, values
from teller_gym.office.pages.crm_values import lines
from teller_gym.office.pages.rendering import go, link
from teller_gym.office.pages.site import Routes, Visit
from teller_gym.office.web import Response

_SHOWN: Final = 50
"""Number of records on a list page. Links lead to the others."""

_RELATED: Final = 20
"""Number of records shown for each link on a record's page."""

_NOTES: Final = 50
"""Number of notes shown on a record's page."""

_COLUMNS: Final = (
    *("status", "stage", "type", "emailAddress", "accountName", "dateStart", "dateEnd", "closeDate"),
    *("assignedUserName", "createdAt"),
)
"""Attributes shown in a list besides the name, if an entity has them."""

_HIDDEN: Final = frozenset({"Attachment", "Document", "Note"})
"""Entities that appear only on other entities' pages, or need files, which this CRM does not store."""


def _entities(visit: Visit) -> Response:
    found = []
    for name in schema(visit.store):
        if name not in _HIDDEN:
            try:
                total = search.search(visit.store, visit.user, name, {"maxSize": 0})["total"]
            except CrmError:  # the user may not read it
                continue
            found.append({"name": name, "label": plural(label(name)), "total": total})
    return visit.show("entities", "Records", entities=found)


def _list(visit: Visit) -> Response:
    name, offset, text = visit.asked("entity"), visit.number("offset", search.MAX_OFFSET), visit.query.get("text", "")
    entity = entity_of(visit.store, name)
    params: dict[str, Any] = {"offset": offset, "maxSize": _SHOWN}
    if text:
        params["textFilter"] = text
    found = search.search(visit.store, visit.user, name, params)
    columns = [one for one in _COLUMNS if one in entity.attributes]
    return visit.show(
        "records",
        plural(label(name)),
        entity=name,
        text=text,
        offset=offset,
        shown=_SHOWN,
        total=found["total"],
        columns=[(one, label(one.removesuffix("Name"))) for one in columns],
        records=found["list"],
    )


def _record(visit: Visit) -> Response:
    name, key = visit.asked("entity"), visit.asked("id")
    entity = entity_of(visit.store, name)
    found = records.get(visit.store, visit.user, name, key)
    try:
        notes = stream.read_stream(visit.store, visit.user, name, key, {"maxSize": _NOTES})["list"]
    except CrmError:  # no right to streams
        notes = []
    return visit.show(
        "record",
        found.get("name") or key,
        entity=name,
        id=key,
        lines=lines(entity, found),
        related=_related(visit, entity, key),
        stream=entity.about.stream,
        notes=[{**one, "text": one["post"] or _event(one)} for one in notes],
    )


def _related(visit: Visit, entity: Entity, key: str) -> list[dict[str, Any]]:
    """Return the first records of each link to several records that the record's own fields do not show."""
    found = []
    for one in entity.links.values():
        if one.kind in ("belongsTo", "belongsToParent") or (one.owner and one.name in entity.multiples):
            continue  # the record's own lines show these
        try:
            rows = links.list_related(visit.store, visit.user, entity.type, key, one.name, {"maxSize": _RELATED})
        except CrmError:  # the user may not read them
            continue
        if rows["list"]:
            found.append({"label": label(one.name), "entity": one.entity, **rows})
    return found


def _event(note: dict[str, Any]) -> str:
    """Return the text of a note written by the system."""
    related = f" {note['relatedType']} {note['relatedName'] or ''}".rstrip() if note.get("relatedType") else ""
    changed = ", ".join(map(label, (note["data"] or {}).get("fields", ())))
    return f"{label(note['type'])}{related}{f': {changed}' if changed else ''}"


def _edit(visit: Visit) -> Response:
    name, key = visit.asked("entity"), visit.asked("id")
    found = records.get(visit.store, visit.user, name, key)
    return _form(visit, f"Edit {found.get('name') or key}", name, key, found)


def _new(visit: Visit) -> Response:
    name = visit.asked("entity")
    return _form(visit, f"New {label(name)}", name, "", None)


def _form(visit: Visit, title: str, name: str, key: str, record: dict[str, Any] | None) -> Response:
    shown = inputs(visit.store, visit.user, entity_of(visit.store, name), record)
    return visit.show("record_form", title, entity=name, id=key, inputs=shown)


def _save(visit: Visit) -> Response:
    name, key, form = visit.filled("entity"), visit.form.get("id"), visit.form
    entity = entity_of(visit.store, name)
    old = records.get(visit.store, visit.user, name, key) if key else None
    given = values(visit.store, visit.user, entity, old, form)
    if old is None:
        skip = form.get("skip_duplicate_check") == "yes"
        made = records.create(visit.store, visit.user, name, given, skip_duplicate_check=skip)
        return go(link("record", entity=name, id=made["id"], done="created"))
    if given:
        records.update(visit.store, visit.user, name, key, given)
    return go(link("record", entity=name, id=key, done="saved"))


def _post(visit: Visit) -> Response:
    name, key = visit.filled("entity"), visit.filled("id")
    records.post_note(visit.store, visit.user, name, key, visit.filled("text").replace("\r\n", "\n"))
    return go(link("record", entity=name, id=key, done="posted"))


ROUTES: Final[Routes] = {
    ("GET", ""): _entities,
    ("GET", "list"): _list,
    ("GET", "record"): _record,
    ("GET", "edit"): _edit,
    ("GET", "new"): _new,
    ("POST", "save"): _save,
    ("POST", "post"): _post,
}
