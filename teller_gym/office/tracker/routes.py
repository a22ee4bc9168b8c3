"""Routes of ``/api/v1/`` with the function that answers each path and method."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote

import msgspec

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities, comments, items, projects
from teller_gym.office.tracker.errors import unparsable
from teller_gym.office.tracker.fields import UUID

ROOT: Final = "/api/v1/"


class ApiCall(msgspec.Struct, frozen=True):
    """A request from an authenticated user.

    Attributes:
        store: the office's store.
        user: user name of the sender.
        ids: ids in the path, in order.
        query: parameters; for a repeated one, the last value.
        data: the JSON body; an empty object if there is no body.
    """

    store: Store
    user: str
    ids: tuple[str, ...]
    query: Mapping[str, str]
    data: Any


Handler = Callable[[ApiCall], tuple[int, Any]]
"""Function that returns the status and JSON body of a response."""


class Route(msgspec.Struct, frozen=True):
    """The route of a path.

    Attributes:
        methods: handlers by method.
        slug: the workspace in the path; None outside workspaces.
        ids: ids in the path, in order.
    """

    methods: Mapping[str, Handler]
    slug: str | None
    ids: tuple[str, ...]


def find(path: str) -> Route | None:
    """Return the route of a percent-encoded path, or None if there is no such route or the last slash is missing."""
    if not (path.startswith(ROOT) and path.endswith("/")):
        return None
    parts = unquote(path[len(ROOT) : -1]).split("/")
    slug = None
    ids = []
    for place, part in enumerate(parts):
        if UUID.fullmatch(part):
            ids.append(part)
            parts[place] = "*"
        elif place == 1 and parts[0] == "workspaces":
            slug, parts[1] = part, "$"
        elif place == 3 and parts[2] in _ITEMS and _KEY.fullmatch(part):
            ids.append(part)
            parts[place] = "#"
    methods = ROUTES.get("/".join(parts))
    return None if methods is None else Route(methods, slug, tuple(ids))


_KEY = re.compile(r".+-.+")
_ITEMS: Final = ("work-items", "issues")
"""Path segments of work items, the current and the old one."""

MAX_PER_PAGE: Final = 1000
"""Default and maximum number of records on a page, as in Plane."""

_CURSOR = re.compile(r"-?\d{1,18}(?:\.\d{1,18})?:(\d{1,9}):-?\d{1,18}")
_PER_PAGE = re.compile(r"\d{1,18}")


def _paged(records: Callable[..., list[Record]]) -> Handler:
    return lambda call: (
        200,
        page(records(call.store, call.user, *call.ids), call.query.get("per_page"), call.query.get("cursor")),
    )


def _bare(value: Callable[..., Any]) -> Handler:
    return lambda call: (200, value(call.store, call.user, *call.ids))


def _written(write: Callable[..., Any], status: int) -> Handler:
    return lambda call: (status, write(call.store, call.user, *call.ids, call.data))


def page(records: Sequence[Record], per_page: str | None = None, cursor: str | None = None) -> dict[str, Any]:
    """Return a page of records in Plane's envelope, with the cursors of the next and previous page.

    A page has 1 to 1,000 records, by default 1,000. A cursor is ``per_page:page:is_prev``, such as ``100:2:0``. As in
    Plane, its first part is ignored, since ``per_page`` sets the size of a page.
    """
    size = MAX_PER_PAGE if per_page is None else _size(per_page)
    found = _CURSOR.fullmatch(cursor or "0:0:0")
    if found is None:
        raise unparsable("Invalid cursor parameter.")
    number, total = int(found[1]), len(records)
    first = number * size
    results = records[first : first + size]
    return {
        "grouped_by": None,
        "sub_grouped_by": None,
        "total_count": total,
        "next_cursor": f"{size}:{number + 1}:0",
        "prev_cursor": f"{size}:{number - 1}:1",
        "next_page_results": total > first + size,
        "prev_page_results": number > 0,
        "count": len(results),
        "total_pages": -(-total // size),
        "total_results": total,
        "extra_stats": None,
        "results": results,
    }


def _size(per_page: str) -> int:
    if not _PER_PAGE.fullmatch(per_page):
        raise unparsable("Invalid per_page parameter.")
    size = int(per_page)
    if size > MAX_PER_PAGE:
        raise unparsable(f"Invalid per_page value. Cannot exceed {MAX_PER_PAGE}.")
    if size < 1:
        raise unparsable("Invalid per_page value. Must be at least 1.")
    return size


def _item_routes(everywhere: str, below: str) -> dict[str, Mapping[str, Handler]]:
    return {
        f"{everywhere}/#": {"GET": _bare(items.get_item_by_key)},
        below: {"GET": _paged(items.list_items), "POST": _written(items.create_item, 201)},
        f"{below}/*": {"GET": _bare(items.get_item), "PATCH": _written(items.update_item, 200)},
        f"{below}/*/comments": {"GET": _paged(comments.list_comments), "POST": _written(comments.comment, 201)},
        f"{below}/*/activities": {"GET": _paged(activities.list_activities)},
    }


_PROJECT: Final = "workspaces/$/projects/*"

ROUTES: Final[Mapping[str, Mapping[str, Handler]]] = {
    "users/me": {"GET": _bare(projects.me)},
    "workspaces/$/members": {"GET": _bare(projects.list_workspace_members)},
    "workspaces/$/projects": {"GET": _paged(projects.list_projects)},
    _PROJECT: {"GET": _bare(projects.get_project)},
    **{f"{_PROJECT}/{name}": {"GET": _bare(projects.list_project_members)} for name in ("members", "project-members")},
    f"{_PROJECT}/states": {"GET": _paged(projects.list_states)},
    **_item_routes("workspaces/$/work-items", f"{_PROJECT}/work-items"),
    **_item_routes("workspaces/$/issues", f"{_PROJECT}/issues"),
}
"""Handlers by path, with ``$`` for the workspace, ``*`` for a UUID and ``#`` for a key such as ``WM-12``."""
