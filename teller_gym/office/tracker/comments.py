"""Comments on work items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.fields import MAX_TEXT, Field, choice, read, text
from teller_gym.office.tracker.html import strip_tags
from teller_gym.office.tracker.projects import member
from teller_gym.office.tracker.tables import COMMENTS, ITEMS, audit, in_project, newest_first, of_item, tick

_FIELDS: Final[Mapping[str, Field]] = {
    "comment_html": text(MAX_TEXT, blank=True),
    "access": choice("INTERNAL", "EXTERNAL"),
}


def list_comments(store: Store, user: str, project: str, item: str) -> list[Record]:
    """Return the comments on a work item, newest first."""
    member(store, user, project)
    in_project(store, ITEMS, item, project)
    return newest_first(of_item(store, COMMENTS, item))


def comment(store: Store, user: str, project: str, item: str, data: Mapping[str, Any]) -> Record:
    """Add a comment (``comment_html`` and optionally ``access``) to a work item, which itself does not change."""
    who = member(store, user, project)
    in_project(store, ITEMS, item, project)
    values = read(store, data, _FIELDS)
    begin = audit(store, "comment", who, tick(store), project)
    html = values.get("comment_html", "<p></p>")
    new = {
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
        "actor": who,
        "parent": None,
        **values,
    }
    store.put(COMMENTS, new["id"], new)
    return new
