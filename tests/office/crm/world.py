"""A small office for the tests: three people, two accounts, three contacts, a custom entity and some appointments."""

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
import yaml

from teller_gym.office.crm.api import Crm as Service
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.records import create
from teller_gym.office.crm.seeding import CrmDescription, seeded_id, tables
from teller_gym.office.store import Store, Tables
from teller_gym.office.web import Request, Response

NOW = datetime(2026, 3, 2, 9)
SEED = 7
SERVICE = Service()


def person(username: str, name: str, title: str, admin: bool = False) -> dict[str, Any]:
    more = {"email": f"{username}@bank.example", "password": f"pw-{username}", "admin": admin}
    return {"username": username, "name": name, "title": title, **more}


PEOPLE = {
    one["username"]: one
    for one in (
        person("ada", "Ada Lund", "Head of Office", admin=True),
        person("ben", "Ben Okafor", "Adviser"),
        person("cleo", "Cleo Marsh", "Assistant"),
    )
}

CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text("utf-8"))
DESCRIPTION: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("office.yaml").read_text("utf-8"))


@cache
def base() -> Tables:
    crm = msgspec.convert(DESCRIPTION, CrmDescription)
    return {"people": PEOPLE, **tables(crm, PEOPLE.values(), NOW, SEED)}


def office() -> Store:
    return Store(base(), NOW, SEED)


def rid(entity_type: str, key: str) -> str:
    return seeded_id(SEED, entity_type, key)


def ask(
    store: Store,
    method: str,
    path: str,
    body: Any = None,
    *,
    key: str | None = "key-of-ben",
    params: dict[str, Any] | None = None,
    **headers: str,
) -> Response:
    """Send a request as a client with an API key does."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if key is not None:
        sent["x-api-key"] = key
    raw = b""
    if body is not None:
        sent.setdefault("content-type", "application/json")
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return SERVICE.handle(store, Request(method, f"/api/v1{path}", urlencode(params or {}), sent, raw))


def refused(entity: str, values: dict[str, Any]) -> CrmError:
    """Try to create an invalid record, and return the error."""
    store = office()
    with pytest.raises(CrmError) as caught:
        create(store, "ben", entity, values)
    assert not list(store.written()), "a refusal writes nothing, not even a counter"
    return caught.value


def reason(response: Response) -> str:
    return response.header("X-Status-Reason") or ""
