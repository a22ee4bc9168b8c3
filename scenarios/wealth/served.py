"""An office whose services can be served over HTTP with credentials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teller_gym.office.chat.api import ChatService
from teller_gym.office.crm.api import Crm
from teller_gym.office.files.api import FilesService
from teller_gym.office.store import Store
from teller_gym.office.tracker.api import Tracker
from teller_gym.office.web import Service
from teller_gym.scenarios.wealth.building import SLUG, key_of, password_of
from teller_gym.scenarios.wealth.world import World


class ServedOffice:
    """An office for `teller_gym.office.serving.Serving`."""

    def __init__(self, world: World, store: Store) -> None:
        self._world = world
        self.store = store
        self.services: Mapping[str, Service] = {
            "crm": Crm(),
            "files": FilesService(),
            "chat": ChatService(),
            "tracker": Tracker(),
        }

    def credentials(self) -> dict[str, Any]:
        user = self._world.user.username
        signed = {"username": user, "password": password_of(self._world, user)}
        return {
            "files": {"root": f"/remote.php/dav/files/{user}/", **signed},
            "chat": {"root": "/api/v1/", **signed},
            "crm": {"root": "/api/v1/", "X-Api-Key": key_of(self._world, "crm")},
            "tracker": {"root": f"/api/v1/workspaces/{SLUG}/", "X-Api-Key": key_of(self._world, "tracker")},
        }
