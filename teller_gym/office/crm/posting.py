"""Posting to a record's stream."""

from __future__ import annotations

from typing import Any

from teller_gym.office.crm import records
from teller_gym.office.store import Store


def post_note(store: Store, user: str, parent_type: str, parent_id: str, post: str) -> dict[str, Any]:
    """Post a text to a record's stream and return the note.

    Raises:
        CrmError: 400 (too long), 401, 403 (no access to the record, or there is none).
    """
    values = {"type": "Post", "parentType": parent_type, "parentId": parent_id, "post": post}
    return records.create(store, user, "Note", values)
