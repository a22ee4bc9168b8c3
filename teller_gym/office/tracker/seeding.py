"""From the description of a workspace to the tables of a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from teller_gym.office.ids import uuid_id
from teller_gym.office.store import Record
from teller_gym.office.tracker import tables as names
from teller_gym.office.tracker.access import ROLES
from teller_gym.office.tracker.activities import new_activity
from teller_gym.office.tracker.comments import new_comment
from teller_gym.office.tracker.cycles import new_cycle
from teller_gym.office.tracker.description import Cycle, Item, Module, Project, User, Workspace
from teller_gym.office.tracker.html import strip_tags
from teller_gym.office.tracker.item_fields import NEW, PRIORITIES
from teller_gym.office.tracker.labels import new_label
from teller_gym.office.tracker.modules import new_module
from teller_gym.office.tracker.projects import new_member, new_project
from teller_gym.office.tracker.records import stamp
from teller_gym.office.tracker.states import DEFAULT_STATES, new_state

_Value = TypeVar("_Value")


def tables(workspace: Workspace, now: datetime, seed: int) -> dict[str, dict[str, Record]]:
    """Return the base tables of a workspace, to be merged with those of the other services.

    Args:
        workspace: the description.
        now: when the office's day begins.
        seed: from which ids are made; the store's.

    Raises:
        ValueError: the description names a user, state, label or item that it does not have, or something twice.
    """
    return _Seeder(workspace, now, seed).tables


class _Seeder:
    """Fills tables from a description."""

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
        """An id that a running office gives to no record."""
        return uuid_id(self.seed, f"tracker.{kind}", f"base.{name}")

    def add(self, table: str, record: Record, key: str | None = None) -> None:
        self.tables.setdefault(table, {})[key or record["id"]] = record

    def begin(self, kind: str, name: str, by: str, at: datetime, project: str) -> Record:
        """What a record of a project begins with, as `records.audit` has it."""
        return {
            "id": self.id(kind, f"{project}.{name}"),
            "created_at": stamp(at),
            "updated_at": stamp(at),
            "deleted_at": None,
            "created_by": by,
            "updated_by": by,
            "project": project,
            "workspace": self.workspace,
        }

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
        self.add(names.USERS, {"role": _role(user.username, user.role), "lite": lite}, key)

    def add_project(self, project: Project) -> None:
        if not project.roles:
            raise ValueError(f"{project.name}: expected at least one member")
        key = self.id("project", project.identifier)
        lead = _known("user", self.users, next(iter(project.roles)))
        times = [
            item.created or self.now - timedelta(hours=len(project.items) - place)
            for place, item in enumerate(project.items)
        ]
        begun = min([*times, self.now]) - timedelta(days=1)
        settings = {"name": project.name, "identifier": project.identifier, "description": project.description}
        views = {"cycle_view": True, "module_view": True, "network": 0 if project.secret else 2}
        self.add(
            names.PROJECTS,
            new_project(key, self.workspace, lead, stamp(begun), **settings, **views, project_lead=lead),
        )
        for username, role in project.roles.items():
            who = _known("user", self.users, username)
            member = new_member(self.id("member", f"{key}.{who}"), key, who, _role(username, role))
            self.add(names.MEMBERS, member, f"{key}:{who}")
        states = self.add_states(key, lead, begun)
        labels = self.add_labels(key, project.labels, lead, begun)
        items: list[Record] = []
        for item, at in zip(project.items, times, strict=True):
            items.append(self.add_item(key, item, at, items, states, labels))
        self.add(names.SEQUENCES, {"last": len(items)}, key)
        _refuse_twice("cycle's item", [number for cycle in project.cycles for number in cycle.items])
        for cycle in project.cycles:
            self.add_cycle(key, cycle, lead, begun, items)
        for module in project.modules:
            self.add_module(key, module, lead, begun, items)

    def add_states(self, project: str, by: str, at: datetime) -> dict[str, Record]:
        states = {}
        for place, (name, color, sequence, group) in enumerate(DEFAULT_STATES):
            values: dict[str, Any] = {"name": name, "color": color, "sequence": sequence, "group": group}
            states[name] = new_state(self.begin("state", name, by, at, project), **values, default=place == 0)
            self.add(names.STATES, states[name])
        return states

    def add_labels(self, project: str, labels: Collection[str], by: str, at: datetime) -> dict[str, str]:
        _refuse_twice("label", labels)
        found = {}
        for place, name in enumerate(labels):
            begin = self.begin("label", name, by, at, project)
            self.add(names.LABELS, new_label(begin, name=name, color="#0693E3", sort_order=65535.0 + 10000.0 * place))
            found[name] = begin["id"]
        return found

    def add_item(
        self,
        project: str,
        item: Item,
        at: datetime,
        before: list[Record],
        states: Mapping[str, Record],
        labels: Mapping[str, str],
    ) -> Record:
        if item.priority not in PRIORITIES:
            raise ValueError(f"{item.name}: expected a priority of {', '.join(PRIORITIES)}, got {item.priority}")
        number = len(before) + 1
        by, state = _known("user", self.users, item.by), _known("state", states, item.state)
        record = {
            **self.begin("item", str(number), by, at, project),
            **NEW,
            "name": item.name,
            "description_html": item.html,
            "description_stripped": strip_tags(item.html),
            "priority": item.priority,
            "start_date": _day(item.start_date),
            "target_date": _day(item.target_date),
            "sequence_id": number,
            "sort_order": 65535.0 + 10000.0 * sum(one["state"] == state["id"] for one in before),
            "completed_at": stamp(at) if state["group"] == "completed" else None,
            "parent": None if item.parent is None else _numbered(before, item.parent)["id"],
            "state": state["id"],
            "assignees": [_known("user", self.users, one) for one in item.assignees],
            "labels": [_known("label", labels, one) for one in item.labels],
        }
        self.add(names.ITEMS, record)
        begin = self.begin("activity", str(number), by, at, project)
        self.add(names.ACTIVITIES, new_activity(begin, record["id"], by, "created", "created the issue"))
        for place, comment in enumerate(item.comments):
            who = _known("user", self.users, comment.by)
            begin = self.begin("comment", f"{number}.{place}", who, at + timedelta(minutes=place + 1), project)
            self.add(names.COMMENTS, new_comment(begin, record["id"], comment_html=comment.html))
        return record

    def add_cycle(self, project: str, cycle: Cycle, lead: str, at: datetime, items: list[Record]) -> None:
        start, end = _day(cycle.start_date), _day(cycle.end_date)
        begin = self.begin("cycle", cycle.name, lead, at, project)
        dates = {
            "start_date": None if start is None else f"{start}T00:00:01Z",
            "end_date": None if end is None else f"{end}T23:59:00Z",
        }
        self.add(names.CYCLES, new_cycle(begin, name=cycle.name, **dates))
        for item in [_numbered(items, number) for number in cycle.items]:
            place = self.begin("cycle_item", str(item["sequence_id"]), lead, at, project)
            self.add(names.CYCLE_ITEMS, {**place, "issue": item["id"], "cycle": begin["id"]}, item["id"])

    def add_module(self, project: str, module: Module, lead: str, at: datetime, items: list[Record]) -> None:
        begin = self.begin("module", module.name, lead, at, project)
        self.add(names.MODULES, new_module(begin, name=module.name, lead=lead))
        for item in [_numbered(items, number) for number in module.items]:
            key = f"{begin['id']}:{item['id']}"
            place = self.begin("module_item", key, lead, at, project)
            self.add(names.MODULE_ITEMS, {**place, "issue": item["id"], "module": begin["id"]}, key)


def _known(what: str, known: Mapping[str, _Value], name: str) -> _Value:
    if name not in known:
        raise ValueError(f"expected a {what} out of {', '.join(known) or 'none'}, got {name}")
    return known[name]


def _numbered(items: list[Record], number: int) -> Record:
    if not 1 <= number <= len(items):
        raise ValueError(f"expected the number of one of the {len(items)} items so far, got {number}")
    return items[number - 1]


def _role(name: str, role: int) -> int:
    if role not in ROLES:
        raise ValueError(f"{name}: expected the role {', '.join(map(str, ROLES))}, got {role}")
    return role


def _day(text: str | None) -> str | None:
    return None if text is None else date.fromisoformat(text).isoformat()


def _refuse_twice(what: str, values: Collection[object]) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ValueError(f"expected each {what} once, got {twice[0]} several times")
