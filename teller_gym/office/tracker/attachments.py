"""Files of work items: announced, then uploaded to a signed address, then confirmed, as in Plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.ids import digest
from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities
from teller_gym.office.tracker.access import member
from teller_gym.office.tracker.errors import TrackerError, not_found, refused
from teller_gym.office.tracker.fields import Field, integer, read, text
from teller_gym.office.tracker.records import audit, changed, in_project, tick
from teller_gym.office.tracker.tables import ATTACHMENTS, ITEMS, of_item

MAX_FILE: Final = 5 * 1024 * 1024
"""Maximum size of a file in bytes, as in Plane."""

MAX_KEPT: Final = 64 * 1024 * 1024
"""Maximum size of all files together in bytes, including announced ones."""

_FIELDS: Final[Mapping[str, Field]] = {
    "name": text(),
    "type": text(blank=True, null=True),
    "size": integer(0, MAX_FILE),
}


def list_attachments(store: Store, user: str, project: str, item: str) -> list[Record]:
    """Return a work item's files, without their bytes, newest first.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item.
    """
    member(store, user, project)
    in_project(store, ITEMS, item, project)
    return [_shown(one) for one in reversed(of_item(store, ATTACHMENTS, item)) if one["is_uploaded"]]


def get_attachment(store: Store, user: str, project: str, item: str, key: str) -> Record:
    """Return an uploaded file, with its bytes as ``content``.

    Raises:
        TrackerError: 400 it is not uploaded yet, 403 no member of the project, 404 no such item or file.
    """
    member(store, user, project)
    found = _attachment(store, project, item, key)
    if not found["is_uploaded"]:
        raise _not_uploaded()
    return found


def announce(store: Store, user: str, project: str, item: str, data: Mapping[str, Any]) -> Record:
    """Announce a file, with ``name`` and ``size`` required in ``data``; return its record, still without bytes.

    Raises:
        TrackerError: 400 a field is wrong or the file is too large, 403 no member of the project, 404 no such item.
    """
    who = member(store, user, project)
    in_project(store, ITEMS, item, project)
    values = read(store, data, _FIELDS, required=("name", "size"))
    if sum(one["size"] for _, one in store.rows(ATTACHMENTS)) + values["size"] > MAX_KEPT:
        raise refused(f"All attachments together have at most {MAX_KEPT} bytes.")
    begin = audit(store, "attachment", who, tick(store), project)
    name = values["name"].replace("/", "_")
    attachment = {
        **begin,
        "attributes": {"name": name, "type": values.get("type") or "", "size": values["size"]},
        "asset": f"{begin['workspace']}/{begin['id'].replace('-', '')}-{name}",
        "entity_type": "ISSUE_ATTACHMENT",
        "entity_identifier": item,
        "is_deleted": False,
        "is_archived": False,
        "external_id": None,
        "external_source": None,
        "size": values["size"],
        "is_uploaded": False,
        "storage_metadata": None,
        "issue": item,
        "content": None,
    }
    store.put(ATTACHMENTS, attachment["id"], attachment)
    return attachment


def receive(store: Store, key: str, content: bytes) -> None:
    """Store the bytes of an announced file; no rights are checked, since its signed address grants them.

    Raises:
        TrackerError: 400 more bytes than announced, 403 already confirmed, 404 no such file.
    """
    found = store.get(ATTACHMENTS, key)
    if found is None:
        raise not_found()
    if found["is_uploaded"]:
        raise refused("The file was uploaded and confirmed already.", 403, "permission_denied")
    if len(content) > found["size"]:
        raise refused(f"Expected at most the {found['size']} bytes that were announced, got {len(content)}.")
    store.put(ATTACHMENTS, key, {**found, "content": content})


def confirm(store: Store, user: str, project: str, item: str, key: str) -> Record:
    """Confirm that a file's bytes were uploaded, so that it is listed; return it.

    Raises:
        TrackerError: 400 they were not, 403 no member of the project, 404 no such item or file.
    """
    who = member(store, user, project)
    found = _attachment(store, project, item, key)
    if found["content"] is None:
        raise _not_uploaded()
    if found["is_uploaded"]:
        return found
    now, size = tick(store), len(found["content"])
    attributes = {**found["attributes"], "size": size}
    after = changed(found, who, now, {"is_uploaded": True, "size": size, "attributes": attributes})
    store.put(ATTACHMENTS, key, after)
    record = in_project(store, ITEMS, item, project)
    activities.record(
        store, record, who, now, "created", "created an attachment", "attachment", new=found["asset"], new_id=key
    )
    return after


def attach(store: Store, user: str, project: str, item: str, name: str, kind: str, content: bytes) -> Record:
    """Announce, upload and confirm a file in one call; return it.

    Raises:
        TrackerError: as from `announce`.
    """
    found = announce(store, user, project, item, {"name": name, "type": kind, "size": len(content)})
    receive(store, found["id"], content)
    return confirm(store, user, project, item, found["id"])


def announced(store: Store, attachment: Record, base: str) -> dict[str, Any]:
    """Return the data that a client needs to upload an announced file: the form's address and its fields.

    Args:
        store: the office.
        attachment: from `announce`.
        base: the tracker's address, such as ``http://127.0.0.1:8091``.
    """
    key = attachment["id"]
    fields = {
        "Content-Type": attachment["attributes"]["type"],
        "key": attachment["asset"],
        "asset": key,
        "signature": signature(store, key),
    }
    return {
        "upload_data": {"url": f"{base}/uploads/", "fields": fields},
        "asset_id": key,
        "attachment": _shown(attachment),
        "asset_url": address_of(store, attachment),
    }


def address_of(store: Store, attachment: Record) -> str:
    """Return the signed path at which a file is downloaded without a key."""
    return f"/uploads/{attachment['id']}/?signature={signature(store, attachment['id'])}"


def signature(store: Store, key: str) -> str:
    """Return the signature that proves that a file's address comes from the tracker."""
    return digest(store.seed, "tracker.upload", key).hex()


def _shown(attachment: Record) -> Record:
    return {name: value for name, value in attachment.items() if name != "content"}


def _attachment(store: Store, project: str, item: str, key: str) -> Record:
    in_project(store, ITEMS, item, project)
    found = store.get(ATTACHMENTS, key)
    if found is None or found["issue"] != item:
        raise not_found()
    return found


def _not_uploaded() -> TrackerError:
    return refused("The asset is not uploaded.")
