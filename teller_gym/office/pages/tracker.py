"""Issue tracker pages: projects, work items, and forms to create items, comment and change the state."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.office.pages.rendering import go, link
from teller_gym.office.pages.site import Routes, Visit
from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities, comments, items, projects
from teller_gym.office.tracker.html import as_html, plain_text
from teller_gym.office.tracker.items import PRIORITIES
from teller_gym.office.tracker.projects import lite
from teller_gym.office.web import Response

_SHOWN: Final = 100
"""Number of work items on a page. Links lead to the others."""


def _projects(visit: Visit) -> Response:
    return visit.show("projects", "Projects", projects=projects.list_projects(visit.store, visit.user))


def _project(visit: Visit) -> Response:
    store, user, key = visit.store, visit.user, visit.asked("id")
    state, offset = visit.query.get("state") or None, visit.number("offset", 1_000_000)
    found = items.list_items(store, user, key, state=state)
    project, known = projects.get_project(store, user, key), projects.list_states(store, user, key)
    return visit.show(
        "project",
        project["name"],
        project=project,
        states=known,
        state=state,
        total=len(found),
        offset=offset,
        shown=_SHOWN,
        items=[_row(store, one, project, known) for one in found[offset : offset + _SHOWN]],
        members=projects.list_project_members(store, user, key),
        priorities=PRIORITIES,
    )


def _item(visit: Visit) -> Response:
    store, user = visit.store, visit.user
    item = items.get_item_by_key(store, user, visit.asked("key"))
    project, key = item["project"], item["id"]
    known = projects.list_states(store, user, project)
    about = projects.get_project(store, user, project)
    return visit.show(
        "item",
        f"{about['identifier']}-{item['sequence_id']} {item['name']}",
        item=item,
        description=plain_text(item["description_html"]),
        row=_row(store, item, about, known),
        project=about,
        states=known,
        author=_name(store, item["created_by"]),
        comments=[_said(store, one) for one in reversed(comments.list_comments(store, user, project, key))],
        activities=[_said(store, one) for one in activities.list_activities(store, user, project, key)],
    )


def _create(visit: Visit) -> Response:
    form, project = visit.form, visit.filled("project")
    data: dict[str, Any] = {"name": visit.filled("name"), "priority": form.get("priority") or "none"}
    text = form.get("description").strip()
    if text:
        data["description_html"] = as_html(text.replace("\r\n", "\n"))
    data |= {name: form.get(name) for name in ("state", "target_date") if form.get(name)}
    if form.get("assignee"):
        data["assignees"] = [form.get("assignee")]
    made = items.create_item(visit.store, visit.user, project, data)
    return go(link("item", key=_key(visit, made), done="created"))


def _set_state(visit: Visit) -> Response:
    item = items.get_item_by_key(visit.store, visit.user, visit.filled("key"))
    items.update_item(visit.store, visit.user, item["project"], item["id"], {"state": visit.filled("state")})
    return go(link("item", key=visit.filled("key"), done="saved"))


def _comment(visit: Visit) -> Response:
    item = items.get_item_by_key(visit.store, visit.user, visit.filled("key"))
    data = {"comment_html": as_html(visit.filled("text").replace("\r\n", "\n"))}
    comments.comment(visit.store, visit.user, item["project"], item["id"], data)
    return go(link("item", key=visit.filled("key"), done="commented"))


def _row(store: Store, item: Record, project: Record, known: list[Record]) -> dict[str, Any]:
    """Return a work item as people read it, with names instead of ids."""
    state = next((one for one in known if one["id"] == item["state"]), None)
    return {
        "key": f"{project['identifier']}-{item['sequence_id']}",
        "name": item["name"],
        "state": state["name"] if state else "",
        "group": state["group"] if state else "",
        "priority": item["priority"],
        "target_date": item["target_date"] or "",
        "assignees": ", ".join(_name(store, one) for one in item["assignees"]),
    }


def _said(store: Store, record: Record) -> dict[str, Any]:
    """Return a comment or activity with its author's name, and a comment's text without tags."""
    text = plain_text(record["comment_html"]) if "comment_html" in record else record["comment"]
    return {**record, "by": _name(store, record["actor"]), "text": text}


def _name(store: Store, who: str | None) -> str:
    found = lite(store, who) if who is not None else None
    return "" if found is None else found["display_name"]


def _key(visit: Visit, item: Record) -> str:
    return f"{projects.get_project(visit.store, visit.user, item['project'])['identifier']}-{item['sequence_id']}"


ROUTES: Final[Routes] = {
    ("GET", ""): _projects,
    ("GET", "project"): _project,
    ("GET", "item"): _item,
    ("POST", "create"): _create,
    ("POST", "state"): _set_state,
    ("POST", "comment"): _comment,
}
