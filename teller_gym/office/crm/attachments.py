"""Files of documents: uploaded in base64, downloaded unencoded."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Final

from teller_gym.office.crm import access
from teller_gym.office.crm.checks import Given
from teller_gym.office.crm.errors import bad_request, forbidden, not_found
from teller_gym.office.crm.records import add
from teller_gym.office.crm.schema import entity_of
from teller_gym.office.store import Store

CONTENTS: Final = "crm.contents"
"""Table of files' bytes by the attachment's id: ``bytes``."""

MAX_SIZE: Final = 4 * 1024 * 1024
"""Maximum size of a file in bytes; in base64 it fits into a request's body."""

_DATA_URL: Final = re.compile(r"data:[\w.+-]*/?[\w.+-]*(?:;charset=[\w-]+)?;base64,", re.ASCII)


def upload(store: Store, user: str, values: Given) -> dict[str, Any]:
    """Create an attachment and return it.

    Args:
        values: ``name``, ``type`` (such as text/csv), ``role``, ``relatedType`` and ``field`` (Document and file), and
            ``file``, a data URL in base64.

    Raises:
        CrmError: 400 (no file, or another field fails a check), 401, 403 (no access, or too large).
    """
    entity, who = entity_of(store, "Attachment"), access.actor(store, user)
    access.check_scope(who, "Attachment", "create")
    file = values.get("file")
    start = _DATA_URL.match(file) if isinstance(file, str) else None
    if not isinstance(file, str) or start is None:
        raise bad_request("No file contents. Expected a data URL: data:TYPE;base64,CONTENTS.")
    try:
        contents = base64.b64decode(file[start.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise bad_request("File contents are not base64.") from None
    if len(contents) > MAX_SIZE:
        raise forbidden(f"File size should not exceed {MAX_SIZE} bytes.")
    found = add(store, who, entity, {key: values[key] for key in values if key != "file"}, size=len(contents))
    store.put(CONTENTS, found["id"], {"bytes": contents})
    return found


def download(store: Store, user: str, attachment_id: str) -> tuple[str, str, bytes]:
    """Return the name, type and bytes of an attachment of one's own, or of one in a document that one may read.

    Raises:
        CrmError: 401, 403 (no access), 404.
    """
    entity, who = entity_of(store, "Attachment"), access.actor(store, user)
    record, contents = store.get(entity.table, attachment_id), store.get(CONTENTS, attachment_id)
    if record is None or contents is None:
        raise not_found(f"Record {attachment_id} not found.")
    document = entity_of(store, "Document")
    if not access.allowed(store, who, entity, record, "read") and not any(
        one["fileId"] == attachment_id and access.allowed(store, who, document, one, "read")
        for _, one in store.rows(document.table)
    ):
        raise forbidden("No 'read' access.")
    return record["name"], record["type"] or "application/octet-stream", contents["bytes"]
