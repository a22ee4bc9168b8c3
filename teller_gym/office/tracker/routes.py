"""The functions that answer the paths and methods of ``/api/v1/``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import unquote

import msgspec

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import (
    activities,
    attachments,
    comments,
    item_list,
    items,
    members,
    projects,
    search,
    states,
)
from teller_gym.office.tracker.errors import refused, shortened
from teller_gym.office.tracker.fields import canonical
from teller_gym.office.tracker.paging import page
from teller_gym.office.tracker.presentation import names, present

ROOT: Final = "/api/v1/"


class ApiCall(msgspec.Struct, frozen=True):
    """A request whose sender is known.

    Attributes:
        store: the office.
        user: user name of the sender.
        ids: the path's ids, in order.
        query: of a repeated parameter, the last value.
        data: the body's JSON; an empty object if there is no body.
        base: the tracker's address, as seen by the client.
    """

    store: Store
    user: str
    ids: tuple[str, ...]
    query: Mapping[str, str]
    data: Any
    base: str = ""


Handler = Callable[[ApiCall], tuple[int, Any]]
"""Function that returns the status and the JSON to send: nothing with 204, the address to redirect to with 302."""


class Route(msgspec.Struct, frozen=True):
    """The target of a path.

    Attributes:
        methods: handlers by method.
        slug: the path's workspace; None for a path outside of workspaces.
        ids: see `ApiCall`.
    """

    methods: Mapping[str, Handler]
    slug: str | None
    ids: tuple[str, ...]


def find(path: str) -> Route | None:
    """Return the target of a path below `ROOT`; None if there is none.

    Args:
        path: with its slash at the end, percent-encoded.
    """
    if not (path.startswith(ROOT) and path.endswith("/")):
        return None
    parts = unquote(path[len(ROOT) : -1]).split("/")
    slug = None
    ids = []
    for place, part in enumerate(parts):
        if _UUID.fullmatch(part):
            ids.append(part)
            parts[place] = "*"
        elif place == 1 and parts[0] == "workspaces":
            slug, parts[1] = part, "$"
        elif place == 3 and parts[2] in _ITEMS and _KEY.fullmatch(part):
            ids.append(part)
            parts[place] = "#"
    methods = ROUTES.get("/".join(parts))
    return None if methods is None else Route(methods, slug, tuple(ids))


_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_KEY = re.compile(r".+-.+")
_ITEMS: Final = ("work-items", "issues")
"""Paths of work items: the current one and the old one."""


def _paged(records: Callable[..., list[Record]]) -> Handler:
    return lambda call: (200, _page(call, records(call.store, call.user, *call.ids)))


def _bare(value: Callable[..., Any]) -> Handler:
    return lambda call: (200, value(call.store, call.user, *call.ids))


def _one(record: Callable[..., Record]) -> Handler:
    return lambda call: (200, _present(call, record(call.store, call.user, *call.ids)))


def _written(write: Callable[..., Any], status: int) -> Handler:
    return lambda call: (status, write(call.store, call.user, *call.ids, call.data))


def _page(call: ApiCall, records: list[Record]) -> Any:
    found = page(records, call.query.get("per_page"), call.query.get("cursor"))
    return {**found, "results": [_present(call, one) for one in found["results"]]}


def _present(call: ApiCall, record: Record) -> Record:
    return present(call.store, record, names(call.query, "fields"), names(call.query, "expand"))


def _list_items(call: ApiCall) -> tuple[int, Any]:
    order_by = call.query.get("order_by") or item_list.NEWEST_FIRST
    return 200, _page(call, item_list.list_items(call.store, call.user, call.ids[0], order_by=order_by))


def _announce(call: ApiCall) -> tuple[int, Any]:
    project, item = call.ids
    found = attachments.announce(call.store, call.user, project, item, call.data)
    return 200, attachments.announced(call.store, found, call.base)


def _confirm(call: ApiCall) -> tuple[int, Any]:
    attachments.confirm(call.store, call.user, *call.ids)
    return 204, None


def _download(call: ApiCall) -> tuple[int, Any]:
    found = attachments.get_attachment(call.store, call.user, *call.ids)
    return 302, f"{call.base}{attachments.address_of(call.store, found)}"


def _search(call: ApiCall) -> tuple[int, Any]:
    limit = call.query.get("limit", str(search.DEFAULT_RESULTS))
    if not limit.isdecimal() or len(limit) > 9:
        raise refused(f"Expected a number of results for limit, got {shortened(limit)}.")
    given = call.query.get("project_id")
    everywhere = not given or call.query.get("workspace_search", "false") != "false"
    project = None if everywhere else canonical(given or "")
    if project is None and not everywhere:
        raise refused("Please provide valid detail")
    query = call.query.get("search", "")
    return 200, {"issues": search.search(call.store, call.user, query, project=project, limit=int(limit))}


def _item_routes(everywhere: str, below: str) -> dict[str, Mapping[str, Handler]]:
    return {
        f"{everywhere}/search": {"GET": _search},
        f"{everywhere}/#": {"GET": _one(items.get_item_by_key)},
        below: {"GET": _list_items, "POST": _written(items.create_item, 201)},
        f"{below}/*": {"GET": _one(items.get_item), "PATCH": _written(items.update_item, 200)},
        f"{below}/*/comments": {"GET": _paged(comments.list_comments), "POST": _written(comments.comment, 201)},
        f"{below}/*/attachments": {"GET": _bare(attachments.list_attachments), "POST": _announce},
        f"{below}/*/attachments/*": {"GET": _download, "PATCH": _confirm},
        f"{below}/*/activities": {"GET": _paged(activities.list_activities)},
    }


_PROJECT: Final = "workspaces/$/projects/*"

ROUTES: Final[Mapping[str, Mapping[str, Handler]]] = {
    "users/me": {"GET": _bare(members.me)},
    "workspaces/$/members": {"GET": _bare(members.list_workspace_members)},
    "workspaces/$/projects": {"GET": _paged(projects.list_projects)},
    _PROJECT: {"GET": _one(projects.get_project)},
    f"{_PROJECT}/members": {"GET": _bare(members.list_project_members)},
    f"{_PROJECT}/project-members": {"GET": _bare(members.list_project_members)},
    f"{_PROJECT}/states": {"GET": _paged(states.list_states)},
    **_item_routes("workspaces/$/work-items", f"{_PROJECT}/work-items"),
    **_item_routes("workspaces/$/issues", f"{_PROJECT}/issues"),
}
"""By path, with ``$`` for the workspace, ``*`` for a UUID and ``#`` for a key such as ``WM-12``."""
