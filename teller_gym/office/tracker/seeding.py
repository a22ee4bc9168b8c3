"""Creates the tracker's initial tables from a workspace description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta
from typing import Final, TypeVar

import msgspec

from teller_gym.office.ids import uuid_id
from teller_gym.office.store import Record
from teller_gym.office.tracker import tables as names
from teller_gym.office.tracker.activities import new_activity
from teller_gym.office.tracker.html import strip_tags
from teller_gym.office.tracker.items import NEW, PRIORITIES
from teller_gym.office.tracker.projects import MEMBER
from teller_gym.office.tracker.tables import begin, new_records, stamp

_STATES: Final = (
    ("Backlog", "#60646C", 15000.0, "backlog"),
    ("Todo", "#60646C", 25000.0, "unstarted"),
    ("In Progress", "#F59E0B", 35000.0, "started"),
    ("Done", "#46A758", 45000.0, "completed"),
    ("Cancelled", "#9AA4BC", 55000.0, "cancelled"),
    ("Triage", "#4E5355", 65000.0, "triage"),
)
"""Name, colour, order and group of a project's states in workflow order. The first is the default.

Plane uses Triage for incoming items; it is never listed and cannot be set.
"""

_Value = TypeVar("_Value")


class User(msgspec.Struct, frozen=True, kw_only=True):
    """A user of the workspace: one of the office's people, with full name and e-mail address."""

    username: str
    name: str
    email: str


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """A work item, whose number is its position in the project.

    Items are created an hour apart, the last one an hour before the office's day begins.

    Attributes:
        name: title.
        by: user name of the creator.
        html: description.
        state: name of a state.
        priority: urgent, high, medium, low or none.
        assignees: user names.
        target_date: ``YYYY-MM-DD`` or None.
    """

    name: str
    by: str
    html: str = "<p></p>"
    state: str = "Todo"
    priority: str = "none"
    assignees: tuple[str, ...] = ()
    target_date: str | None = None


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """A project.

    Attributes:
        name: title.
        identifier: prefix of the items' keys, in capitals.
        members: user names; the first one is the project lead.
        items: work items in order of their numbers.
    """

    name: str
    identifier: str
    members: tuple[str, ...]
    items: tuple[Item, ...] = ()


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    """Initial contents of the tracker."""

    name: str
    slug: str
    users: tuple[User, ...]
    projects: tuple[Project, ...] = ()


def tables(workspace: Workspace, now: datetime, seed: int) -> dict[str, dict[str, Record]]:
    """Return the initial tables of a workspace, to be merged with those of the other services.

    Raises:
        ValueError: the description names an unknown user or state, or has a name twice.
    """
    return _Seeder(workspace, now, seed).tables


class _Seeder:
    """Builds tables from a workspace description."""

    def __init__(self, workspace: Workspace, now: datetime, seed: int) -> None:
        self.seed = seed
        self.now = now
        self.tables: dict[str, dict[str, Record]] = {}
        self.workspace = self.id("workspace", workspace.slug)
        self.add(names.WORKSPACE, {"id": self.workspace, "name": workspace.name, "slug": workspace.slug}, "workspace")
        _refuse_twice("user name", [user.username for user in workspace.users])
        _refuse_twice("project's name", [project.name for project in workspace.projects])
        _refuse_twice("project's identifier", [project.identifier for project in workspace.projects])
        self.users: dict[str, str] = {}
        for user in workspace.users:
            self.add_user(user)
        for project in workspace.projects:
            self.add_project(project)

    def id(self, kind: str, name: str) -> str:
        """Return an id for an initial record, which differs from those of new records."""
        return uuid_id(self.seed, f"tracker.{kind}", f"base.{name}")

    def add(self, table: str, record: Record, key: str | None = None) -> None:
        self.tables.setdefault(table, {})[key or record["id"]] = record

    def begin(self, kind: str, name: str, by: str, at: datetime, project: str) -> Record:
        """Return the common fields of a project's records."""
        return begin(self.id(kind, f"{project}.{name}"), by, stamp(at), project, self.workspace)

    def add_user(self, user: User) -> None:
        key = self.users[user.username] = self.id("user", user.username)
        first, _, last = user.name.partition(" ")
        lite = {
            "id": key,
            "first_name": first,
            "last_name": last,
            "email": user.email,
            "avatar": "",
            "avatar_url": None,
            "display_name": user.username,
        }
        self.add(names.LOGINS, {"id": key}, user.username)
        self.add(names.USERS, {"role": MEMBER, "lite": lite}, key)

    def add_project(self, project: Project) -> None:
        if not project.members:
            raise ValueError(f"{project.name}: expected at least one member")
        key = self.id("project", project.identifier)
        lead = _known("user", self.users, project.members[0])
        begun = self.now - timedelta(hours=len(project.items), days=1)
        at = stamp(begun)
        record = {"id": key, "created_at": at, "updated_at": at, "deleted_at": None, **new_records()["project"]}
        record |= {"name": project.name, "identifier": project.identifier, "project_lead": lead}
        self.add(names.PROJECTS, {**record, "created_by": lead, "updated_by": lead, "workspace": self.workspace})
        for username in project.members:
            who = _known("user", self.users, username)
            own = {"project": key, "member": who, "role": MEMBER, "sort_order": 65535.0}
            self.add(names.MEMBERS, {"id": self.id("member", f"{key}.{who}"), **own}, f"{key}:{who}")
        states = self.add_states(key, lead, begun)
        placed: Counter[str] = Counter()
        for number, item in enumerate(project.items, 1):
            state = _known("state", states, item.state)
            self.add_item(key, item, number, state, placed[state["id"]], len(project.items))
            placed[state["id"]] += 1
        self.add(names.SEQUENCES, {"last": len(project.items)}, key)

    def add_states(self, project: str, by: str, at: datetime) -> dict[str, Record]:
        states = {}
        for place, (name, color, sequence, group) in enumerate(_STATES):
            states[name] = {
                **self.begin("state", name, by, at, project),
                "name": name,
                "description": "",
                "color": color,
                "slug": name.lower().replace(" ", "-"),
                "sequence": sequence,
                "group": group,
                "is_triage": False,
                "default": not place,
                "external_source": None,
                "external_id": None,
            }
            self.add(names.STATES, states[name])
        return states

    def add_item(self, project: str, item: Item, number: int, state: Record, place: int, total: int) -> None:
        if item.priority not in PRIORITIES:
            raise ValueError(f"{item.name}: expected a priority of {', '.join(PRIORITIES)}, got {item.priority}")
        by, at = _known("user", self.users, item.by), self.now - timedelta(hours=total + 1 - number)
        record = {
            **self.begin("item", str(number), by, at, project),
            **NEW,
            "name": item.name,
            "description_html": item.html,
            "description_stripped": strip_tags(item.html),
            "priority": item.priority,
            "target_date": None if item.target_date is None else date.fromisoformat(item.target_date).isoformat(),
            "sequence_id": number,
            "sort_order": 65535.0 + 10000.0 * place,
            "completed_at": stamp(at) if state["group"] == "completed" else None,
            "state": state["id"],
            "assignees": [_known("user", self.users, one) for one in item.assignees],
        }
        self.add(names.ITEMS, record)
        begin = self.begin("activity", str(number), by, at, project)
        self.add(names.ACTIVITIES, new_activity(begin, record["id"], by, "created the issue"))


def _known(what: str, known: Mapping[str, _Value], name: str) -> _Value:
    if name not in known:
        raise ValueError(f"expected a {what} out of {', '.join(known) or 'none'}, got {name}")
    return known[name]


def _refuse_twice(what: str, values: Collection[object]) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ValueError(f"expected each {what} once, got {twice[0]} several times")
