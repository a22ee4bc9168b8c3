"""Description of a workspace as the office's day begins: users by name, states by name."""

from __future__ import annotations

import msgspec


class User(msgspec.Struct, frozen=True, kw_only=True):
    """A user of the workspace.

    Attributes:
        username: user name of one of the office's people.
        name: first and last name.
        email: address.
    """

    username: str
    name: str
    email: str


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """A work item; its number is its place in the project.

    Each was created an hour after the one before it, the last one an hour before the office's day.

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
        identifier: begins the keys of its items, in capitals.
        members: user names; the first one is its lead.
        items: in order of their numbers.
    """

    name: str
    identifier: str
    members: tuple[str, ...]
    items: tuple[Item, ...] = ()


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in the tracker when the day begins."""

    name: str
    slug: str
    users: tuple[User, ...]
    projects: tuple[Project, ...] = ()
