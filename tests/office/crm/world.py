"""A small office for the tests: three people, two accounts, three contacts, a custom entity and some appointments."""

from __future__ import annotations

import json
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

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
    email = f"{username}@bank.example"
    return {
        "username": username,
        "name": name,
        "email": email,
        "title": title,
        "password": f"pw-{username}",
        "admin": admin,
    }


PEOPLE = {
    one["username"]: one
    for one in (
        person("ada", "Ada Lund", "Head of Office", admin=True),
        person("ben", "Ben Okafor", "Adviser"),
        person("cleo", "Cleo Marsh", "Assistant"),
    )
}

DESCRIPTION: dict[str, Any] = {
    "custom": {
        "fields": {
            "Contact": {
                "riskProfile": {
                    "type": "enum",
                    "options": ["", "Cautious", "Balanced", "Growth"],
                    "audited": True,
                },
                "retirementAge": {"type": "int", "min": 50, "max": 80},
            }
        },
        "entities": {
            "CBeneficiary": {
                "orderBy": "name",
                "order": "asc",
                "duplicateCheck": ["name"],
                "fields": {
                    "name": {"type": "varchar", "required": True},
                    "share": {"type": "float", "min": 0, "max": 100, "required": True},
                    "contact": {"type": "link", "entity": "Contact", "foreign": "beneficiaries", "required": True},
                },
            }
        },
    },
    "users": ["ada", "ben", "cleo"],
    "apiKeys": {"ben": "key-of-ben", "cleo": "key-of-cleo", "ada": "key-of-ada"},
    "records": {
        "Team": {"advice": {"name": "Advice"}},
        "Account": {
            "acme": {"name": "Acme Ltd", "type": "Customer", "industry": "Finance", "assignedUserId": "ben",
                     "emailAddress": "info@acme.example", "createdAt": "2026-02-01 10:00:00"},
            "birch": {"name": "Birch & Sons", "type": "Partner", "assignedUserId": "ben",
                      "createdAt": "2026-02-27 10:00:00"},
        },
        "Contact": {
            "ann": {"firstName": "Ann", "lastName": "Smith", "accountId": "acme", "assignedUserId": "ben",
                    "emailAddress": "ann@acme.example", "phoneNumber": "+44 131 496 0001", "riskProfile": "Cautious",
                    "retirementAge": 65, "teamsIds": ["advice"],
                    "createdAt": "2026-02-10 10:00:00"},
            "bob": {"firstName": "Bob", "lastName": "Jones", "accountId": "birch", "assignedUserId": "cleo",
                    "emailAddress": "bob@birch.example", "riskProfile": "Growth",
                    "createdAt": "2026-02-20 10:00:00"},
            "cyd": {"lastName": "Young", "assignedUserId": "ben", "createdAt": "2026-02-28 10:00:00"},
        },
        "CBeneficiary": {
            "eve": {"name": "Eve Smith", "share": 60, "contactId": "ann"},
            "flo": {"name": "Flo Smith", "share": 40.5, "contactId": "ann"},
        },
        "Opportunity": {
            "pension": {"name": "Pension move", "amount": 12000.5, "accountId": "acme", "contactId": "ann",
                        "stage": "Proposal", "closeDate": "2026-06-30"},
        },
        "Case": {"letter": {"name": "Lost letter", "accountId": "acme", "contactId": "ann", "priority": "High"}},
        "Task": {
            "call": {"name": "Call back", "assignedUserId": "ben", "dateEnd": "2026-03-01 12:00:00",
                     "parentType": "Contact", "parentId": "ann"},
            "done": {"name": "Send form", "assignedUserId": "ben", "status": "Completed", "dateEndDate": "2026-02-27"},
        },
        "Meeting": {
            "review": {"name": "Review", "assignedUserId": "ben", "dateStart": "2026-03-02 14:00:00",
                       "dateEnd": "2026-03-02 15:00:00", "parentType": "Account", "parentId": "acme",
                       "usersIds": ["ben", "cleo"], "contactsIds": ["ann"]},
            "off": {"name": "Away day", "assignedUserId": "ada", "dateStartDate": "2026-03-04",
                    "dateEndDate": "2026-03-04", "usersIds": ["ada"]},
        },
        "Note": {"hello": {"post": "Welcome", "parentType": "Contact", "parentId": "ann", "createdById": "ben"}},
    },
}  # fmt: skip


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
    """Send a request as a client with an API key would."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if key is not None:
        sent["x-api-key"] = key
    raw = b""
    if body is not None:
        sent.setdefault("content-type", "application/json")
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return SERVICE.handle(store, Request(method, f"/api/v1{path}", urlencode(params or {}), sent, raw))


def refused(entity: str, values: dict[str, Any]) -> CrmError:
    """Create a record that is refused, and give the refusal."""
    store = office()
    with pytest.raises(CrmError) as caught:
        create(store, "ben", entity, values)
    assert not list(store.written()), "a refusal writes nothing, not even a counter"
    return caught.value


def reason(response: Response) -> str:
    return response.header("X-Status-Reason") or ""
