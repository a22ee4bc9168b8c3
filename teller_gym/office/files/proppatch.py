"""PROPPATCH: sets and removes the dead properties that a request names, all of them or none."""

from __future__ import annotations

from typing import Final

from teller_gym.office.files import dead
from teller_gym.office.files.call import Call
from teller_gym.office.files.guarding import guard
from teller_gym.office.files.properties import LIVE
from teller_gym.office.files.tree import existing, is_folder
from teller_gym.office.files.urls import href
from teller_gym.office.files.xml_reading import changes
from teller_gym.office.files.xml_writing import Property, multistatus, response
from teller_gym.office.web import Response

_CONDITIONS: Final = {403: "cannot-modify-protected-property", 507: "", 424: "", 200: ""}
"""Statuses of properties, in the order of an answer, with RFC 4918's condition."""


def proppatch(call: Call) -> Response:
    """Answer with the status of each property: 200 for all; or 403 for live ones, 507 for those beyond the bounds of
    `dead`, and 424 for the others, none of which is changed then.

    Raises:
        FilesError: 400, 413 for the body; 404; 423.
    """
    record = existing(call.store, call.username, call.path)
    acts = changes(call.request.body)
    guard(call, call.path)
    kept = dead.read(call.store, call.username, call.path)
    for act in acts:
        if act.value is None:
            kept.pop(act.name, None)
        else:
            kept[act.name] = act.value
    statuses = dict.fromkeys((act.name for act in acts), 200)
    if protected := [name for name in statuses if name in LIVE]:
        statuses = dict.fromkeys(statuses, 424) | dict.fromkeys(protected, 403)
    elif not dead.fits(kept):
        statuses = dict.fromkeys(statuses, 424) | {act.name: 507 for act in acts if act.value is not None}
    else:
        dead.keep(call.store, call.username, call.path, kept)
    parts = [
        (status, [Property(name) for name, found in statuses.items() if found == status], condition)
        for status, condition in _CONDITIONS.items()
        if status in statuses.values()
    ]
    return multistatus([response(href(call.prefix, call.path, is_folder(record)), *parts)])
