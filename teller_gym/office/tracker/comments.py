"""Comments on work items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import reader
from teller_gym.office.tracker.errors import not_found
from teller_gym.office.tracker.fields import MAX_TEXT, Field, choice, read, text
from teller_gym.office.tracker.html import strip_tags
from teller_gym.office.tracker.records import EXTERNAL, audit, changed, in_project, refuse_duplicate, tick
from teller_gym.office.tracker.tables import COMMENTS, ITEMS, newest_first, of_item

_FIELDS: Final[Mapping[str, Field]] = {
    "comment_html": text(MAX_TEXT, blank=True),
    "access": choice("INTERNAL", "EXTERNAL"),
    **EXTERNAL,
}
_WHAT: Final = "Work item comment"


def list_comments(store: Store, user: str, project: str, item: str) -> list[Record]:
    """Return the comments on a work item, newest first.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item.
    """
    reader(store, user, project)
    in_project(store, ITEMS, item, project)
    return newest_first(of_item(store, COMMENTS, item))


def get_comment(store: Store, user: str, project: str, item: str, key: str) -> Record:
    """Return a comment.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item or comment.
    """
    reader(store, user, project)
    return _comment(store, project, item, key)


def comment(store: Store, user: str, project: str, item: str, data: Mapping[str, Any]) -> Record:
    """Write a comment on a work item; any member of the project may, guests too. The item itself stays as it is.

    Args:
        store: the office.
        user: who writes.
        project: the project's id.
        item: the item's id.
        data: ``comment_html``, and if wanted ``access``, ``external_id`` and ``external_source``.

    Raises:
        TrackerError: 400 a field is wrong, 403 no member of the project, 404 no such item, 409 the external id is
            taken.
    """
    who = reader(store, user, project)
    in_project(store, ITEMS, item, project)
    values = read(store, data, _FIELDS)
    refuse_duplicate(store, COMMENTS, _WHAT, project, values)
    begin = audit(store, "comment", who, tick(store), project)
    new = new_comment(begin, item, **values)
    store.put(COMMENTS, new["id"], new)
    return new


def update_comment(store: Store, user: str, project: str, item: str, key: str, data: Mapping[str, Any]) -> Record:
    """Change a comment; as in Plane, any member of the project may.

    Raises:
        TrackerError: 400 a field is wrong, 403 no member of the project, 404 no such item or comment, 409 the
            external id is taken.
    """
    who = reader(store, user, project)
    before = _comment(store, project, item, key)
    values = read(store, data, _FIELDS)
    refuse_duplicate(store, COMMENTS, _WHAT, project, values, before)
    if "comment_html" in values:
        values["comment_stripped"] = strip_tags(values["comment_html"])
    after = changed(before, who, tick(store), values)
    store.put(COMMENTS, key, after)
    return after


def delete_comment(store: Store, user: str, project: str, item: str, key: str) -> None:
    """Delete a comment; as in Plane, any member of the project may.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item or comment.
    """
    reader(store, user, project)
    _comment(store, project, item, key)
    tick(store)
    store.delete(COMMENTS, key)


def new_comment(begin: Record, item: str, **values: Any) -> Record:
    """Return the record of a new comment from what all records have and from its fields."""
    html = values.get("comment_html", "<p></p>")
    return {
        **begin,
        "is_member": True,
        "comment_html": html,
        "comment_stripped": strip_tags(html),
        "attachments": [],
        "access": "INTERNAL",
        "external_source": None,
        "external_id": None,
        "edited_at": None,
        "issue": item,
        "actor": begin["created_by"],
        "parent": None,
        **values,
    }


def _comment(store: Store, project: str, item: str, key: str) -> Record:
    in_project(store, ITEMS, item, project)
    found = store.get(COMMENTS, key)
    if found is None or found["issue"] != item:
        raise not_found()
    return found
