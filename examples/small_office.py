"""An office of two people that can be served: CRM, files, chat and issue tracker over one store.

teller-gym office serve --office examples.small_office:open_office --port files=8080 --port chat=3000
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from teller_gym.office.chat import api as chat_api
from teller_gym.office.chat import seeding as chat_seeding
from teller_gym.office.crm import api as crm_api
from teller_gym.office.crm import seeding as crm_seeding
from teller_gym.office.files import api as files_api
from teller_gym.office.files import seeding as files_seeding
from teller_gym.office.people import KEYS, PEOPLE
from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import api as tracker_api
from teller_gym.office.tracker import seeding as tracker_seeding
from teller_gym.office.web import Service

NOW = datetime(2026, 3, 2, 9)
SEED = 1
TRACKER_KEY, CRM_KEY = "plane-key-of-ada", "espo-key-of-ada"
STAFF = {"ada": ("Ada Lund", "Adviser"), "ben": ("Ben Okafor", "Paraplanner")}


def password_of(user: str) -> str:
    """Return the password that this example gives a user."""
    return f"password-of-{user}"


class SmallOffice:
    """An office for `teller-gym office serve`: a store, services by name, and the credentials of clients."""

    def __init__(self) -> None:
        people = {
            user: {
                "username": user,
                "name": name,
                "email": f"{user}@bank.example",
                "title": title,
                "password": password_of(user),
                "admin": user == "ada",
            }
            for user, (name, title) in STAFF.items()
        }
        keys = {f"tracker:{TRACKER_KEY}": {"username": "ada", "expired": False}}
        found: dict[str, dict[str, Record]] = {PEOPLE: people, KEYS: keys}
        for tables in self._tables(people):
            for name, rows in tables.items():
                found.setdefault(name, {}).update(rows)
        self.store = Store(found, NOW, SEED)
        self.services: Mapping[str, Service] = {
            "crm": crm_api.Crm(),
            "files": files_api.FilesService(),
            "chat": chat_api.ChatService(),
            "tracker": tracker_api.Tracker(),
        }

    def _tables(self, people: Mapping[str, Record]) -> list[Mapping[str, Mapping[str, Record]]]:
        home = files_seeding.Home("ada", {"/Clients/Kerr/assets.csv": b"asset,value\nhouse,250000\n"})
        rooms = (chat_seeding.SeededRoom(name="general"),)
        client = {"firstName": "Mona", "lastName": "Kerr", "emailAddress": "mona@example.com"}
        described = crm_seeding.CrmDescription(
            records={"Contact": {"mona": client}},
            users=tuple(people),
            api_keys={"ada": CRM_KEY},
        )
        users = tuple(
            tracker_seeding.User(username=user, name=one["name"], email=one["email"]) for user, one in people.items()
        )
        item = tracker_seeding.Item(name="Net worth of Mona Kerr", by="ben", assignees=("ada",))
        project = tracker_seeding.Project(name="Clients", identifier="CL", members=tuple(people), items=(item,))
        workspace = tracker_seeding.Workspace(name="Office", slug="office", users=users, projects=(project,))
        return [
            files_seeding.tables([home], NOW, SEED),
            chat_seeding.tables(chat_seeding.Chat(rooms=rooms), people, SEED, NOW),
            crm_seeding.tables(described, people.values(), NOW, SEED),
            tracker_seeding.tables(workspace, NOW, SEED),
        ]

    def credentials(self) -> dict[str, Any]:
        """Return the credentials that `teller-gym office serve` prints for clients."""
        ada = {"username": "ada", "password": password_of("ada")}
        return {"files": ada, "chat": ada, "crm": {"X-Api-Key": CRM_KEY}, "tracker": {"X-Api-Key": TRACKER_KEY}}


def open_office() -> SmallOffice:
    """Return the office at the beginning of its day."""
    return SmallOffice()
