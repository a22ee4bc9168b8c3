"""A small workspace for the tests, and what they ask of it over HTTP."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from teller_gym.office.people import KEYS, PEOPLE
from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.api import Tracker
from teller_gym.office.tracker.description import Comment, Cycle, Item, Module, Project, User, Workspace
from teller_gym.office.tracker.seeding import tables
from teller_gym.office.web import Request, Response

NOW = datetime(2026, 3, 2, 9)
SLUG = "tac"
V1 = f"/api/v1/workspaces/{SLUG}"

NAMES = {"ada": "Ada Byrne", "ben": "Ben Ochoa", "gus": "Gus Hale", "eve": "Eve Stone", "out": "Olga Utt"}
"""ada: admin; ben: member; gus: guest; eve: member of the workspace alone; out: not in the workspace."""

WORKSPACE = Workspace(
    name="Wealth",
    slug=SLUG,
    users=tuple(
        User(username=name, name=NAMES[name], email=f"{name}@example.org", role=role)
        for name, role in (("ada", 20), ("ben", 15), ("gus", 5), ("eve", 15))
    ),
    projects=(
        Project(
            name="Wealth management",
            identifier="WM",
            roles={"ada": 20, "ben": 15, "gus": 5},
            labels=("client", "urgent letter"),
            items=(
                Item(
                    name="Quarterly metrics",
                    by="ada",
                    html="<p>Collect <b>all</b> figures</p>",
                    state="In Progress",
                    priority="high",
                    assignees=("ben",),
                    labels=("client",),
                    start_date="2026-02-20",
                    target_date="2026-03-05",
                    comments=(Comment(by="ben", html="<p>Nearly there</p>"),),
                ),
                Item(name="Call the Martins", by="ben", priority="urgent", assignees=("ada", "ben")),
                Item(name="File the deeds", by="ada", state="Done", parent=1),
                Item(name="Old rumours", by="ben", state="Backlog", labels=("urgent letter",)),
            ),
            cycles=(
                Cycle(name="March", start_date="2026-03-01", end_date="2026-03-31", items=(1, 3)),
                Cycle(name="January", start_date="2026-01-01", end_date="2026-01-31"),
            ),
            modules=(Module(name="Reporting", items=(1, 2)),),
        ),
        Project(name="Secret plans", identifier="SEC", roles={"eve": 20}, secret=True, labels=("hush",)),
        Project(
            name="Open plans", identifier="OPEN", roles={"eve": 20, "ada": 15}, items=(Item(name="Tea", by="eve"),)
        ),
    ),
)


def store(seed: int = 1) -> Store:
    people: dict[str, Record] = {
        name: {
            "username": name,
            "name": NAMES[name],
            "email": f"{name}@example.org",
            "title": "",
            "password": "pw",
            "admin": name == "ada",
        }
        for name in NAMES
    }
    keys: dict[str, Record] = {f"tracker:key-{name}": {"username": name, "expired": False} for name in NAMES}
    keys["tracker:key-old"] = {"username": "ada", "expired": True}
    return Store({PEOPLE: people, KEYS: keys, **tables(WORKSPACE, NOW, seed)}, NOW, seed)


def id_of(target: Store, table: str, name: str) -> str:
    """The id of the record with a name, or with a number."""
    for key, record in target.rows(f"tracker.{table}"):
        lite = record.get("lite", record)
        if name in (lite.get("name"), lite.get("identifier"), lite.get("display_name")):
            return key
    raise KeyError(name)


def ask(
    target: Store,
    method: str,
    path: str,
    data: Any = None,
    user: str | None = "ada",
    query: str = "",
    service: Tracker | None = None,
) -> Response:
    """Send a request; a path that begins with no slash is one of the workspace."""
    headers = {} if user is None else {"x-api-key": f"key-{user}"}
    body = b""
    if data is not None:
        headers["content-type"] = "application/json"
        body = json.dumps(data).encode()
    full = path if path.startswith("/") else f"{V1}/{path}"
    return (service or Tracker()).handle(target, Request(method, full, query, headers, body))
