"""Links from work items to pages elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities
from teller_gym.office.tracker.access import reader, writer
from teller_gym.office.tracker.errors import invalid, not_found, refused
from teller_gym.office.tracker.fields import Field, read, text
from teller_gym.office.tracker.records import audit, changed, in_project, tick
from teller_gym.office.tracker.tables import ITEMS, LINKS, newest_first, of_item

_MAX_URL: Final = 2048
"""Characters; Django takes no longer addresses for valid."""

_FIELDS: Final[Mapping[str, Field]] = {"title": text(blank=True, null=True), "url": text(_MAX_URL)}
_URL = re.compile(r"https?://[A-Za-z0-9._~%-]+(:\d{1,5})?([/?#]\S*)?", re.IGNORECASE)


def list_links(store: Store, user: str, project: str, item: str) -> list[Record]:
    """Return a work item's links, newest first.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item.
    """
    reader(store, user, project)
    in_project(store, ITEMS, item, project)
    return newest_first(of_item(store, LINKS, item))


def get_link(store: Store, user: str, project: str, item: str, link: str) -> Record:
    """Return a link.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item or link.
    """
    reader(store, user, project)
    return _link(store, project, item, link)


def create_link(store: Store, user: str, project: str, item: str, data: Mapping[str, Any]) -> Record:
    """Add a link; ``url`` is required.

    Raises:
        TrackerError: 400 a field is wrong or the item has this link, 403 guests and strangers, 404 no such item.
    """
    who = writer(store, user, project)
    found = in_project(store, ITEMS, item, project)
    values = read(store, data, _FIELDS, required=("url",))
    _check(values, of_item(store, LINKS, item))
    now = tick(store)
    link = {
        **audit(store, "link", who, now, project),
        "title": values.get("title"),
        "url": values["url"],
        "metadata": {},
        "issue": item,
    }
    store.put(LINKS, link["id"], link)
    activities.record(store, found, who, now, "created", "created a link", "link", new=link["url"], new_id=link["id"])
    return link


def update_link(store: Store, user: str, project: str, item: str, link: str, data: Mapping[str, Any]) -> Record:
    """Change a link's title or address.

    Raises:
        TrackerError: 400 a field is wrong or the item has this link, 403 guests and strangers, 404 no such item or
            link.
    """
    who = writer(store, user, project)
    before = _link(store, project, item, link)
    values = read(store, data, _FIELDS)
    _check(values, [one for one in of_item(store, LINKS, item) if one["id"] != link])
    now = tick(store)
    after = changed(before, who, now, values)
    store.put(LINKS, link, after)
    if after["url"] != before["url"]:
        found = in_project(store, ITEMS, item, project)
        activities.record(
            store, found, who, now, "updated", "updated a link", "link", before["url"], after["url"], link, link
        )
    return after


def delete_link(store: Store, user: str, project: str, item: str, link: str) -> None:
    """Take a link away.

    Raises:
        TrackerError: 403 guests and strangers, 404 no such item or link.
    """
    who = writer(store, user, project)
    before = _link(store, project, item, link)
    found = in_project(store, ITEMS, item, project)
    now = tick(store)
    store.delete(LINKS, link)
    activities.record(store, found, who, now, "deleted", "deleted the link", "link", before["url"], "")


def _link(store: Store, project: str, item: str, link: str) -> Record:
    in_project(store, ITEMS, item, project)
    found = store.get(LINKS, link)
    if found is None or found["issue"] != item:
        raise not_found()
    return found


def _check(values: Mapping[str, Any], others: list[Record]) -> None:
    url = values.get("url")
    if url is None:
        return
    if not _URL.fullmatch(url):
        raise invalid("url", "Invalid URL format.")
    if any(one["url"] == url for one in others):
        raise refused("URL already exists for this Issue")
