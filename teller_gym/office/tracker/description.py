"""What a workspace holds when the office's day begins, in plain words: users by name, items by number."""

from __future__ import annotations

from datetime import datetime

import msgspec

from teller_gym.office.tracker.access import MEMBER


class User(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in the workspace.

    Attributes:
        username: of the office's people.
        name: first and last name.
        email: address.
        role: in the workspace: 20 admin, 15 member, 5 guest.
    """

    username: str
    name: str
    email: str
    role: int = MEMBER


class Comment(msgspec.Struct, frozen=True, kw_only=True):
    """A comment on a work item, by a user name."""

    by: str
    html: str


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """A work item; its number is its place in the project.

    Attributes:
        name: title.
        by: user name of who created it.
        html: description.
        state: name of a state.
        priority: urgent, high, medium, low or none.
        assignees: user names.
        labels: names.
        start_date: ``YYYY-MM-DD`` or None.
        target_date: ``YYYY-MM-DD`` or None.
        parent: number of an item that stands before it, or None.
        created: when; by default an hour after the item before it, the last one an hour before the office's day.
        comments: oldest first.
    """

    name: str
    by: str
    html: str = "<p></p>"
    state: str = "Todo"
    priority: str = "none"
    assignees: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    start_date: str | None = None
    target_date: str | None = None
    parent: int | None = None
    created: datetime | None = None
    comments: tuple[Comment, ...] = ()


class Cycle(msgspec.Struct, frozen=True, kw_only=True):
    """A cycle: its name, its first and last day, and the numbers of its items."""

    name: str
    start_date: str | None = None
    end_date: str | None = None
    items: tuple[int, ...] = ()


class Module(msgspec.Struct, frozen=True, kw_only=True):
    """A module: its name, and the numbers of its items."""

    name: str
    items: tuple[int, ...] = ()


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """A project.

    Attributes:
        name: title.
        identifier: begins the keys of its items, in capitals.
        roles: role by user name of each member; the first one is its lead.
        description: plain text.
        secret: whether only its members see it.
        labels: names.
        items: in order of their numbers.
        cycles: oldest first.
        modules: oldest first.
    """

    name: str
    identifier: str
    roles: dict[str, int]
    description: str = ""
    secret: bool = False
    labels: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    modules: tuple[Module, ...] = ()


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    """All that the tracker knows when the day begins."""

    name: str
    slug: str
    users: tuple[User, ...]
    projects: tuple[Project, ...] = ()
