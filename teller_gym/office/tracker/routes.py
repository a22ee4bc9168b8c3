"""Which function answers which path and method of ``/api/v1/``."""

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
    cycle_items,
    cycles,
    item_list,
    items,
    labels,
    links,
    members,
    module_items,
    modules,
    project_features,
    projects,
    search,
    states,
)
from teller_gym.office.tracker.errors import refused, shortened
from teller_gym.office.tracker.fields import canonical
from teller_gym.office.tracker.paging import page
from teller_gym.office.tracker.presentation import names, present

ROOT: Final = "/api/v1/"


class Call(msgspec.Struct, frozen=True):
    """A request whose sender is known.

    Attributes:
        store: the office.
        user: who asks.
        ids: the path's ids, in order.
        query: of a parameter that stands twice, the last value.
        data: the body's JSON; an empty object where there is no body.
        base: the tracker's address, as seen by the client.
    """

    store: Store
    user: str
    ids: tuple[str, ...]
    query: Mapping[str, str]
    data: Any
    base: str = ""


Handler = Callable[[Call], tuple[int, Any]]
"""Function that returns the status and the JSON to send: nothing with 204, the address to redirect to with 302."""

Methods = Mapping[str, Handler]


class Route(msgspec.Struct, frozen=True):
    """What a path leads to.

    Attributes:
        methods: handlers by method.
        slug: the path's workspace; None for a path outside of workspaces.
        ids: see `Call`.
    """

    methods: Methods
    slug: str | None
    ids: tuple[str, ...]


def find(path: str) -> Route | None:
    """Return what a path below `ROOT` leads to, None if it leads nowhere.

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
        elif place == 3 and parts[2] in _ITEMS and part != _ADVANCED and _KEY.fullmatch(part):
            ids.append(part)
            parts[place] = "#"
    methods = _ROUTES.get("/".join(parts))
    return None if methods is None else Route(methods, slug, tuple(ids))


_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_KEY = re.compile(r".+-.+")
_ADVANCED: Final = "advanced-search"
_ITEMS: Final = ("work-items", "issues")
"""Paths of work items: today's and the old one."""

_ATTACHMENTS: Final = ("attachments", "issue-attachments")
"""Paths of work items' files: the current one and the old one."""


def _paged(records: Callable[..., list[Record]]) -> Handler:
    def handler(call: Call) -> tuple[int, Any]:
        return 200, _page(call, records(call.store, call.user, *call.ids))

    return handler


def _bare(value: Callable[..., Any]) -> Handler:
    return lambda call: (200, value(call.store, call.user, *call.ids))


def _one(record: Callable[..., Record]) -> Handler:
    return lambda call: (200, _present(call, record(call.store, call.user, *call.ids)))


def _written(write: Callable[..., Any], status: int = 200) -> Handler:
    return lambda call: (status, write(call.store, call.user, *call.ids, call.data))


def _created(write: Callable[..., Any]) -> Handler:
    return _written(write, 201)


def _deleted(delete: Callable[..., None]) -> Handler:
    def handler(call: Call) -> tuple[int, Any]:
        delete(call.store, call.user, *call.ids)
        return 204, None

    return handler


def _page(call: Call, records: list[Record]) -> Any:
    found = page(records, call.query.get("per_page"), call.query.get("cursor"))
    if "fields" in call.query or "expand" in call.query:
        found["results"] = [_present(call, one) for one in found["results"]]
    return found


def _present(call: Call, record: Record) -> Record:
    return present(call.store, record, names(call.query, "fields"), names(call.query, "expand"))


def _list_items(call: Call) -> tuple[int, Any]:
    external_id, source = call.query.get("external_id"), call.query.get("external_source")
    if external_id and source:
        found = items.get_item_by_external_id(call.store, call.user, call.ids[0], source, external_id)
        return 200, _present(call, found)
    if call.query.get("pql"):
        raise refused("PQL belongs to paid plans and is not understood here: use filters, a JSON object.")
    order_by = call.query.get("order_by") or item_list.NEWEST_FIRST
    filters = call.query.get("filters")
    return 200, _page(
        call, item_list.list_items(call.store, call.user, call.ids[0], filters=filters, order_by=order_by)
    )


def _list_everywhere(call: Call) -> tuple[int, Any]:
    order_by = call.query.get("order_by") or item_list.NEWEST_FIRST
    filters = call.query.get("filters")
    return 200, _page(call, item_list.list_everywhere(call.store, call.user, filters=filters, order_by=order_by))


def _announce(call: Call) -> tuple[int, Any]:
    project, item = call.ids
    found = attachments.announce(call.store, call.user, project, item, call.data)
    return 200, attachments.announced(call.store, found, call.base)


def _confirm(call: Call) -> tuple[int, Any]:
    attachments.confirm(call.store, call.user, *call.ids)
    return 204, None


def _download(call: Call) -> tuple[int, Any]:
    found = attachments.get_attachment(call.store, call.user, *call.ids)
    return 302, f"{call.base}{attachments.address_of(call.store, found)}"


def _list_grouped(listed: Callable[..., list[Record]]) -> Handler:
    def handler(call: Call) -> tuple[int, Any]:
        order_by = call.query.get("order_by") or "created_at"
        return 200, _page(call, item_list.ordered(call.store, listed(call.store, call.user, *call.ids), order_by))

    return handler


def _list_cycles(call: Call) -> tuple[int, Any]:
    view = call.query.get("status") or call.query.get("cycle_view") or "all"
    found = cycles.list_cycles(call.store, call.user, call.ids[0], view)
    return 200, [_present(call, one) for one in found] if view == "current" else _page(call, found)


def _search(call: Call) -> tuple[int, Any]:
    limit = call.query.get("limit", str(search.DEFAULT_RESULTS))
    if not limit.isdecimal() or len(limit) > 9:
        raise refused(f"Expected a number of results for limit, got {shortened(limit)}.")
    project = call.query.get("project_id") or None
    if call.query.get("workspace_search", "false") != "false":
        project = None
    if project is not None:
        project = canonical(project)
        if project is None:
            raise refused("Please provide valid detail")
    query = call.query.get("search", "")
    return 200, {"issues": search.search(call.store, call.user, query, project=project, limit=int(limit))}


_LISTS: Final[Mapping[str, Callable[..., list[Record]]]] = {
    "projects": projects.list_projects,
    "members": members.list_workspace_members,
    "project-members": members.list_project_members,
    "cycles": cycles.list_cycles,
    "modules": modules.list_modules,
}
"""Functions for the lists whose paths end in ``-lite``; here they return whole records."""


def _routes() -> dict[str, Methods]:
    project = "workspaces/$/projects/*"
    routes: dict[str, Methods] = {
        "users/me": {"GET": _bare(members.me)},
        "workspaces/$/members": {"GET": _bare(members.list_workspace_members)},
        "workspaces/$/projects": {"GET": _paged(projects.list_projects), "POST": _created(projects.create_project)},
        project: {"GET": _one(projects.get_project), "PATCH": _written(projects.update_project)},
        f"{project}/features": {
            "GET": _bare(project_features.get_features),
            "PATCH": _written(project_features.update_features),
        },
        f"{project}/members": {"GET": _bare(members.list_project_members)},
        f"{project}/project-members": {"GET": _bare(members.list_project_members)},
        f"{project}/states": {"GET": _paged(states.list_states), "POST": _written(states.create_state)},
        f"{project}/states/*": {
            "GET": _one(states.get_state),
            "PATCH": _written(states.update_state),
            "DELETE": _deleted(states.delete_state),
        },
        f"{project}/labels": {"GET": _paged(labels.list_labels), "POST": _created(labels.create_label)},
        f"{project}/labels/*": {
            "GET": _one(labels.get_label),
            "PATCH": _written(labels.update_label),
            "DELETE": _deleted(labels.delete_label),
        },
        f"{project}/cycles": {"GET": _list_cycles, "POST": _created(cycles.create_cycle)},
        f"{project}/cycles/*": {
            "GET": _one(cycles.get_cycle),
            "PATCH": _written(cycles.update_cycle),
            "DELETE": _deleted(cycles.delete_cycle),
        },
        f"{project}/cycles/*/cycle-issues": {
            "GET": _list_grouped(cycle_items.list_cycle_items),
            "POST": _written(cycle_items.add_cycle_items),
        },
        f"{project}/cycles/*/cycle-issues/*": {
            "GET": _one(cycle_items.get_cycle_item),
            "DELETE": _deleted(cycle_items.remove_cycle_item),
        },
        f"{project}/modules": {"GET": _paged(modules.list_modules), "POST": _created(modules.create_module)},
        f"{project}/modules/*": {
            "GET": _one(modules.get_module),
            "PATCH": _written(modules.update_module),
            "DELETE": _deleted(modules.delete_module),
        },
        f"{project}/modules/*/module-issues": {
            "GET": _list_grouped(module_items.list_module_items),
            "POST": _written(module_items.add_module_items),
        },
        f"{project}/modules/*/module-issues/*": {"DELETE": _deleted(module_items.remove_module_item)},
    }
    lite = (("workspaces/$", "projects"), ("workspaces/$", "members"))
    for above, name in (*lite, *((project, one) for one in ("project-members", "cycles", "modules"))):
        routes[f"{above}/{name}-lite"] = {"GET": _paged(_LISTS[name])}
    routes[f"{project}/archived-work-items"] = {"GET": _paged(item_list.list_archived)}
    for name in _ITEMS:
        routes |= _item_routes(f"workspaces/$/{name}", f"{project}/{name}")
    return routes


def _item_routes(everywhere: str, below: str) -> dict[str, Methods]:
    return {
        f"{everywhere}/search": {"GET": _search},
        f"{everywhere}/{_ADVANCED}": {"POST": _written(search.advanced_search)},
        everywhere: {"GET": _list_everywhere},
        f"{everywhere}/#": {"GET": _one(items.get_item_by_key)},
        below: {"GET": _list_items, "POST": _created(items.create_item)},
        f"{below}/*": {
            "GET": _one(items.get_item),
            "PATCH": _written(items.update_item),
            "DELETE": _deleted(items.delete_item),
        },
        f"{below}/*/comments": {"GET": _paged(comments.list_comments), "POST": _created(comments.comment)},
        f"{below}/*/comments/*": {
            "GET": _one(comments.get_comment),
            "PATCH": _written(comments.update_comment),
            "DELETE": _deleted(comments.delete_comment),
        },
        f"{below}/*/links": {"GET": _paged(links.list_links), "POST": _created(links.create_link)},
        f"{below}/*/links/*": {
            "GET": _one(links.get_link),
            "PATCH": _written(links.update_link),
            "DELETE": _deleted(links.delete_link),
        },
        **{
            path: methods
            for name in _ATTACHMENTS
            for path, methods in (
                (f"{below}/*/{name}", {"GET": _bare(attachments.list_attachments), "POST": _announce}),
                (
                    f"{below}/*/{name}/*",
                    {"GET": _download, "PATCH": _confirm, "DELETE": _deleted(attachments.delete_attachment)},
                ),
            )
        },
        f"{below}/*/activities": {"GET": _paged(activities.list_activities)},
        f"{below}/*/activities/*": {"GET": _one(activities.get_activity)},
    }


_ROUTES: Final = _routes()
"""By path, with ``$`` for the workspace, ``*`` for a UUID and ``#`` for a key such as ``WM-12``."""
