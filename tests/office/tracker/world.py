"""A small workspace for the tests, and a function that sends it requests directly."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import yaml

from teller_gym.office.people import KEYS, PEOPLE
from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.api import Tracker
from teller_gym.office.tracker.seeding import Workspace, tables
from teller_gym.office.web import Request, Response

NOW = datetime(2026, 3, 2, 9)
SLUG = "tac"
V1 = f"/api/v1/workspaces/{SLUG}"
NOBODY = "00000000-0000-4000-8000-000000000000"

CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text("utf-8"))

NAMES = {"ada": "Ada Byrne", "ben": "Ben Ochoa", "eve": "Eve Stone", "out": "Olga Utt"}
"""ada and ben are members of the project WM, eve and ada of OPEN; out is not in the workspace."""

WORKSPACE = msgspec.convert(CASES["workspace"], Workspace)


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
    """Return the id of the first record with a name."""
    for key, record in target.rows(f"tracker.{table}"):
        lite = record.get("lite", record)
        if name in (lite.get("name"), lite.get("identifier"), lite.get("display_name")):
            return key
    raise KeyError(name)


BASE = store()
PROJECT = id_of(BASE, "projects", "WM")
FIRST = id_of(BASE, "items", "Quarterly metrics")
STATES = {name: id_of(BASE, "states", name) for name in ("Backlog", "Todo", "In Progress", "Done", "Cancelled")}
USERS = {name: id_of(BASE, "users", name) for name in ("ada", "ben", "eve")}
ITEMS = f"projects/{PROJECT}/work-items/"


def ask(target: Store, method: str, path: str, data: Any = None, user: str | None = "ada", query: str = "") -> Response:
    """Send a request; a path without a leading slash is relative to the workspace."""
    headers = {} if user is None else {"x-api-key": f"key-{user}"}
    body = b""
    if data is not None:
        headers["content-type"] = "application/json"
        body = json.dumps(data).encode()
    full = path if path.startswith("/") else f"{V1}/{path}"
    return Tracker().handle(target, Request(method, full, query, headers, body))
