"""Builds the tables of an office's four services from a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.chat import seeding as chat_seeding
from teller_gym.office.crm import seeding as crm_seeding
from teller_gym.office.crm.descriptions import Custom
from teller_gym.office.files import seeding as files_seeding
from teller_gym.office.ids import hex_id
from teller_gym.office.people import KEYS, PEOPLE
from teller_gym.office.store import Record, Tables
from teller_gym.office.tracker import seeding as tracker_seeding
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.world import World

PROJECTS: Final = {"CW": "Client Work", "OPS": "Operations"}
"""Names of the tracker projects, by identifier."""

SLUG: Final = "office"


def password_of(world: World, username: str) -> str:
    """Derive a user's password from the world's seed."""
    return hex_id(world.seed, "wealth.password", username, 12)


def key_of(world: World, service: str) -> str:
    """Derive the agent's API key for the CRM or the tracker from the world's seed."""
    return hex_id(world.seed, f"wealth.key.{service}", world.user.username, 32)


def tables_of(plan: Plan) -> Tables:
    """Return the initial tables of a planned office's store.

    Raises:
        ValueError, OptionError: the plan contains a value that a service rejects.
    """
    world = plan.world
    people = {one.username: _person(world, one.username) for one in world.staff.values()}
    found: dict[str, dict[str, Record]] = {PEOPLE: people, KEYS: {}}
    found[KEYS][f"tracker:{key_of(world, 'tracker')}"] = {"username": world.user.username, "expired": False}
    for tables in (_files(plan), _chat(plan, people), _crm(plan, people), _tracker(plan, people)):
        for name, rows in tables.items():
            found.setdefault(name, {}).update(rows)
    return found


def _person(world: World, username: str) -> Record:
    one = world.colleague(username)
    return {
        "username": username,
        "name": one.name,
        "email": one.email,
        "title": one.title,
        "password": password_of(world, username),
        "admin": one.part == "operations",
    }


def _files(plan: Plan) -> Mapping[str, Mapping[str, Record]]:
    world = plan.world
    folders = ("/Scratch", *(client.folder for client in world.clients))
    home = files_seeding.Home(world.user.username, plan.files, plan.modified, folders)
    return files_seeding.tables([home], world.now, world.seed)


def _chat(plan: Plan, people: Mapping[str, Record]) -> Mapping[str, Mapping[str, Record]]:
    chat = chat_seeding.Chat(rooms=tuple(plan.rooms), messages=tuple(plan.messages), colleagues=plan.colleagues())
    return chat_seeding.tables(chat, people, plan.world.seed, plan.world.now)


def _crm(plan: Plan, people: Mapping[str, Record]) -> Mapping[str, Mapping[str, Record]]:
    world = plan.world
    # A stream sorts its notes by number, so number them in the order of their times.
    notes = dict(sorted(plan.records.get("Note", {}).items(), key=lambda one: str(one[1]["createdAt"])))
    described = crm_seeding.CrmDescription(
        records={**plan.records, "Note": notes},
        users=tuple(people),
        custom=Custom(fields=plan.fields, entities=plan.entities),
        api_keys={world.user.username: key_of(world, "crm")},
        currency="USD",
    )
    return crm_seeding.tables(described, people.values(), world.now, world.seed)


def _tracker(plan: Plan, people: Mapping[str, Any]) -> Mapping[str, Mapping[str, Record]]:
    users = tuple(
        tracker_seeding.User(username=username, name=one["name"], email=one["email"])
        for username, one in people.items()
    )
    projects = tuple(
        tracker_seeding.Project(
            name=name,
            identifier=identifier,
            members=tuple(people),
            items=tuple(plan.items.get(identifier, ())),
        )
        for identifier, name in PROJECTS.items()
    )
    workspace = tracker_seeding.Workspace(name=plan.world.firm, slug=SLUG, users=users, projects=projects)
    return tracker_seeding.tables(workspace, plan.world.now, plan.world.seed)
