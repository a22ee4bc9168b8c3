"""PROPPATCH: sets and removes the dead properties that a request names, all of them or none."""

from __future__ import annotations

from teller_gym.office.files import dead
from teller_gym.office.files.call import Call
from teller_gym.office.files.dead import Dead
from teller_gym.office.files.guarding import guard
from teller_gym.office.files.properties import LIVE
from teller_gym.office.files.tree import existing, is_folder
from teller_gym.office.files.urls import href
from teller_gym.office.files.xml_bodies import Act, changes
from teller_gym.office.files.xml_reading import Name
from teller_gym.office.files.xml_writing import Property, multistatus, response
from teller_gym.office.web import Response

_PROTECTED = "cannot-modify-protected-property"


def proppatch(call: Call) -> Response:
    """Answer with the status of each property: 200 for all; or 403 for live ones, 507 for those beyond the bounds of
    `dead`, and 424 for the others, none of which is changed then.

    Raises:
        FilesError: 400, 413 for the body; 404; 423.
    """
    record = existing(call.store, call.username, call.path)
    acts = changes(call.request.body)
    guard(call, call.path)
    names = tuple(dict.fromkeys(act.name for act in acts))
    protected = {name for name in names if name in LIVE}
    too_many: set[Name] = set()
    kept = {one.name: one for one in dead.read(call.store, call.username, call.path)}
    if not protected:
        too_many = _apply(kept, acts)
        if not too_many:
            dead.keep(call.store, call.username, call.path, list(kept.values()))
    failed = protected | too_many
    statuses = dict.fromkeys(names, 424 if failed else 200)
    statuses |= dict.fromkeys(protected, 403) | dict.fromkeys(too_many, 507)
    groups = ((403, _PROTECTED), (507, ""), (424, ""), (200, ""))
    parts = [
        (status, [Property(name) for name in names if statuses[name] == status], condition)
        for status, condition in groups
        if status in statuses.values()
    ]
    return multistatus([response(href(call.prefix, call.path, is_folder(record)), *parts)])


def _apply(kept: dict[Name, Dead], acts: tuple[Act, ...]) -> set[Name]:
    """Apply the requested changes in order; return the names of the properties that exceed the bounds."""
    for act in acts:
        if act.value is None:
            kept.pop(act.name, None)
        else:
            kept[act.name] = Dead(*act.name, act.value, act.lang)
    if dead.fits(list(kept.values())):
        return set()
    return {act.name for act in acts if act.value is not None}
