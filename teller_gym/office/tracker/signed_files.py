"""Signed addresses below ``/uploads/``, where files of work items are uploaded and downloaded without a key."""

from __future__ import annotations

import hmac
import re
from typing import Final
from urllib.parse import quote

from teller_gym.office.forms import FormError, read_form
from teller_gym.office.store import Store
from teller_gym.office.tracker.attachments import receive, signature
from teller_gym.office.tracker.errors import TrackerError, not_found, refused, unparsable
from teller_gym.office.tracker.tables import ATTACHMENTS
from teller_gym.office.web import MAX_BODY, Request, Response

ROOT: Final = "/uploads/"

_KEY: Final = re.compile(r"/uploads/([0-9a-f-]{36})/")
_TYPE: Final = re.compile(r"[\w.+-]{1,100}/[\w.+-]{1,100}", re.ASCII)


def answer(store: Store, request: Request) -> Response:
    """Answer a request below `ROOT`: the upload of a form with a file, or the download of a file.

    Raises:
        TrackerError: 400, 403 the signature is wrong, 404, 405, 413.
    """
    if request.method == "POST" and request.path == ROOT:
        return _receive(store, request)
    found = _KEY.fullmatch(request.path)
    if found is None:
        raise not_found()
    if request.method not in ("GET", "HEAD"):
        raise refused(f'Method "{request.method[:20]}" not allowed.', 405, "method_not_allowed")
    try:
        given = dict(request.parameters()).get("signature", "")
    except ValueError:
        raise unparsable("Too many query parameters.") from None
    attachment = store.get(ATTACHMENTS, found[1])
    _check(store, found[1], given)
    if attachment is None or not attachment["is_uploaded"]:
        raise not_found()
    about = attachment["attributes"]
    kind = about["type"] if _TYPE.fullmatch(about["type"]) else "application/octet-stream"
    named = ("Content-Disposition", f"attachment; filename*=UTF-8''{quote(about['name'], safe='')}")
    return Response(200, (("Content-Type", kind), named), attachment["content"])


def _receive(store: Store, request: Request) -> Response:
    if len(request.body) > MAX_BODY:
        raise TrackerError(413, "too_large", {"error": f"A body has at most {MAX_BODY} bytes."})
    try:
        form = read_form(request)
    except FormError as error:
        raise unparsable(f"Malformed form: {error}") from None
    file = next((one for one in form.files if one.field == "file"), None)
    key = form.get("asset")
    _check(store, key, form.get("signature"))
    if file is None:
        raise refused("Expected a form with a file in the field file, got none.")
    receive(store, key, file.content)
    return Response(204)


def _check(store: Store, key: str, given: str) -> None:
    if not hmac.compare_digest(given.encode("utf-8", "replace"), signature(store, key).encode()):
        raise refused("The signature does not match the file.", 403, "permission_denied")
