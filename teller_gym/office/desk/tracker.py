"""Agent tools for the issue tracker."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.office.desk.desk import Desk, Refusals
from teller_gym.office.store import Record
from teller_gym.office.tracker import comments, items, projects
from teller_gym.office.tracker.html import as_html, plain_text
from teller_gym.office.tracker.projects import lite
from teller_gym.office.tracker.tables import PROJECTS, STATES
from teller_gym.tools.tool import Act, Result, tool

Id = Annotated[str, Meta(min_length=1, max_length=60)]
ItemKey = Annotated[str, Meta(pattern="^[A-Z][A-Z0-9]{0,11}-[0-9]{1,6}$")]
Priority = Literal["urgent", "high", "medium", "low", "none"]

_STATE: Final = ("id", "name", "group")
MAX_ROWS: Final = 100
"""Maximum number of work items that one list returns."""


class Projects(Result):
    """Projects that the user can see."""

    projects: list[dict[str, Any]]


class States(Result):
    """States of a project in the order of work."""

    states: list[dict[str, Any]]


class Members(Result):
    """Members of a project."""

    members: list[dict[str, Any]]


class Items(Result):
    """Work items, the newest first; ``total`` also counts those that are not shown."""

    total: int
    items: list[dict[str, Any]]


class Item(Result):
    """A work item with its comments, the oldest first."""

    item: dict[str, Any]
    comments: list[dict[str, Any]]


class Changed(Result):
    """A work item after the change."""

    item: dict[str, Any]


class Commented(Result):
    """Key of a work item, and the new comment."""

    key: str
    comment: str


def _key(desk: Desk, item: Record) -> str:
    project = desk.store.get(PROJECTS, item["project"]) or {}
    return f"{project.get('identifier')}-{item['sequence_id']}"


def _plain(desk: Desk, item: Record, whole: bool = False) -> dict[str, Any]:
    """Return the fields of a work item that agents see."""
    state = desk.store.get(STATES, item["state"] or "") or {}
    names = ("priority", "start_date", "target_date", "completed_at")
    shown = {
        "key": _key(desk, item),
        "name": item["name"],
        "state": {name: state.get(name) for name in _STATE},
        **{name: item[name] for name in names},
        "assignees": [_name(desk, one) for one in item["assignees"]],
    }
    return {**shown, "description": plain_text(item["description_html"] or "")} if whole else shown


@tool()
def list_projects(desk: Desk) -> Projects:
    """List the projects of the issue tracker, with their ids and identifiers."""
    with Refusals():
        found = projects.list_projects(desk.store, desk.user)
    return Projects(projects=[{name: one[name] for name in ("id", "identifier", "name")} for one in found])


@tool()
def list_states(desk: Desk, project_id: Id) -> States:
    """List the states that work items of a project can be in, each with its group.

    Args:
        project_id: The project's id.
    """
    with Refusals("project_id"):
        found = projects.list_states(desk.store, desk.user, project_id)
    return States(states=[{name: one[name] for name in _STATE} for one in found])


@tool()
def list_members(desk: Desk, project_id: Id) -> Members:
    """List the members of a project of the issue tracker.

    Args:
        project_id: The project's id.
    """
    with Refusals("project_id"):
        found = projects.list_project_members(desk.store, desk.user, project_id)
    return Members(members=[{"id": one["id"], "name": one["display_name"], "email": one["email"]} for one in found])


@tool()
def list_items(
    desk: Desk,
    project_id: Id,
    state: Annotated[str, Meta(min_length=1, max_length=100)] | None = None,
    assignee: Annotated[str, Meta(min_length=1, max_length=200)] | None = None,
    text: Annotated[str, Meta(min_length=1, max_length=200)] | None = None,
) -> Items:
    """List work items of a project of the issue tracker.

    Args:
        project_id: The project's id.
        state: Only those in the state of this name.
        assignee: Only those of this person: an id, a name or an e-mail address.
        text: Only those whose name has this text in it, in any case of letters.
    """
    with Refusals("project_id"):
        found = items.list_items(desk.store, desk.user, project_id, state=state, assignee=assignee)
    if text is not None:
        found = [one for one in found if text.casefold() in one["name"].casefold()]
    return Items(total=len(found), items=[_plain(desk, one) for one in found[:MAX_ROWS]])


@tool()
def get_item(desk: Desk, key: ItemKey) -> Item:
    """Read a work item of the issue tracker: description, state, dates, comments.

    Args:
        key: Its key, such as WM-12.
    """
    item = _item(desk, key)
    found = comments.list_comments(desk.store, desk.user, item["project"], item["id"])
    said = [
        {"at": one["created_at"], "by": _name(desk, one["actor"]), "text": plain_text(one["comment_html"])}
        for one in found
    ]
    return Item(item=_plain(desk, item, whole=True), comments=said[::-1])


@tool(act=Act.REVISABLE)
def create_item(
    desk: Desk,
    project_id: Id,
    name: Annotated[str, Meta(min_length=1, max_length=255)],
    description: Annotated[str, Meta(max_length=10_000)] = "",
    state_id: Id | None = None,
    priority: Priority = "none",
    target_date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")] | None = None,
    assignee_ids: list[Id] = [],  # noqa: B006 - read as a schema's default; every call decodes its own list
) -> Changed:
    """Create a work item in the issue tracker.

    Args:
        project_id: The project's id.
        name: Its title.
        description: What is to be done.
        state_id: Id of a state of the project; null takes the project's default.
        priority: How pressing it is.
        target_date: When it is due.
        assignee_ids: Ids of members who shall do it.
    """
    data: dict[str, Any] = {
        "name": name, "description_html": as_html(description), "priority": priority, "target_date": target_date,
        "assignees": list(assignee_ids), **({} if state_id is None else {"state": state_id}),
    }  # fmt: skip
    with Refusals(None, {403: "project_id"}):
        return Changed(item=_plain(desk, items.create_item(desk.store, desk.user, project_id, data)))


@tool(act=Act.REVISABLE)
def update_item(
    desk: Desk,
    key: ItemKey,
    state_id: Id | None = None,
    priority: Priority | None = None,
    target_date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")] | None = None,
) -> Changed:
    """Change a work item of the issue tracker; what is null stays. An item is closed by a state of the group completed.

    Args:
        key: Its key, such as WM-12.
        state_id: Id of a state of its project, as list_states shows it.
        priority: How pressing it is.
        target_date: When it is due.
    """
    given = {"state": state_id, "priority": priority, "target_date": target_date}
    data = {name: value for name, value in given.items() if value is not None}
    if not data:
        raise invalid("state_id", "expected at least one of state_id, priority and target_date, got none")
    item = _item(desk, key)
    field = "state_id" if "state" in data else next(iter(data))
    with Refusals(field, {403: "key"}):
        return Changed(item=_plain(desk, items.update_item(desk.store, desk.user, item["project"], item["id"], data)))


@tool(act=Act.FINAL)
def comment_on_item(desk: Desk, key: ItemKey, text: Annotated[str, Meta(min_length=1, max_length=10_000)]) -> Commented:
    """Comment on a work item of the issue tracker, where all members of the project read it.

    Args:
        key: Its key, such as WM-12.
        text: The comment.
    """
    item = _item(desk, key)
    with Refusals("text"):
        made = comments.comment(desk.store, desk.user, item["project"], item["id"], {"comment_html": as_html(text)})
    return Commented(key=key, comment=plain_text(made["comment_html"]))


def _item(desk: Desk, key: str) -> Record:
    with Refusals("key"):
        return items.get_item_by_key(desk.store, desk.user, key)


def _name(desk: Desk, user_id: str) -> str | None:
    found = lite(desk.store, user_id)
    return None if found is None else found["display_name"]
