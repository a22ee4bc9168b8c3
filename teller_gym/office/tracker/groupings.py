"""What cycles and modules have in common: both hold work items and count them by the groups of their states."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from teller_gym.office.store import Store
from teller_gym.office.tracker.errors import TrackerError, not_found
from teller_gym.office.tracker.fields import MAX_REFERENCES, FieldError, existing
from teller_gym.office.tracker.items import visible
from teller_gym.office.tracker.tables import ITEMS, STATES

_COUNTED: Final = ("cancelled", "completed", "started", "unstarted", "backlog")


def item_counts(store: Store, items: Iterable[str]) -> dict[str, int]:
    """Return how many items there are (``total_issues``), and by group (``completed_issues`` and so on)."""
    counts = {"total_issues": 0} | {f"{group}_issues": 0 for group in _COUNTED}
    for key in items:
        item = store.get(ITEMS, key)
        if item is None or not visible(item):
            continue
        counts["total_issues"] += 1
        state = store.get(STATES, item["state"]) if item["state"] is not None else None
        if state is not None and state["group"] in _COUNTED:
            counts[f"{state['group']}_issues"] += 1
    return counts


def parts_of(store: Store, item: str) -> int:
    """Return how many work items have this one as their parent."""
    return sum(record["parent"] == item for _, record in store.rows(ITEMS))


def read_items(store: Store, project: str, data: Any, missing: TrackerError) -> list[str]:
    """Return the ids of the work items that are to be put into a cycle or module, each once.

    Args:
        store: the office.
        project: whose items they must be.
        data: what was sent; the ids are its ``issues``.
        missing: what to raise where there are none.

    Raises:
        TrackerError: 400 no list of ids, or too many; 404 an id of an item of another project.
    """
    sent = data.get("issues") if isinstance(data, dict) else None
    if not sent:
        raise missing
    if not isinstance(sent, list | tuple) or len(sent) > MAX_REFERENCES:
        message = f"Expected a list of at most {MAX_REFERENCES} ids of work items."
        raise TrackerError(400, "invalid", {"issues": [message]})
    found: dict[str, None] = {}
    for one in sent:
        try:
            key = existing(store, ITEMS, one)
        except FieldError as error:
            raise TrackerError(400, "invalid", {"issues": error.wrong}) from None
        item = store.get(ITEMS, key)
        if item is None or item["project"] != project:
            raise not_found()
        found[key] = None
    return list(found)
