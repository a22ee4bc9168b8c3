"""A small office for the tests of the file store, with functions that send requests and parse answers."""

from __future__ import annotations

import re
import shutil
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

import pytest
import yaml

from teller_gym.office.files.api import FilesService
from teller_gym.office.files.seeding import Home, tables
from teller_gym.office.files.tree import NODES
from teller_gym.office.store import Store
from teller_gym.office.web import Request, Response
from tests.office.served import served

NOW = datetime(2026, 3, 2, 9)
CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text("utf-8"))
DEED = b"Jasmine 50\nOmar 50\n"
HOME = Home(
    "ada",
    {
        "/Clients/Grace Hopper/deed.txt": DEED,
        "/Clients/Grace Hopper/assets.csv": b"name,value\nhouse,10\n",
        "/Clients/Zoë & Söhne/notes (old).md": "Grüße".encode(),
        "/readme.txt": b"Hello",
    },
    {"/readme.txt": datetime(2026, 2, 1, 8, 30), "/Clients/Grace Hopper/deed.txt": datetime(2025, 12, 24)},
    ("/Empty",),
    1_000_000,
)
BOB = Home("bob", {"/secret.txt": b"for Bob alone"})
PEOPLE = {
    name: {
        "username": name,
        "name": name.title(),
        "email": f"{name}@bank.example",
        "title": "",
        "password": f"pw:{name}",
        "admin": False,
    }
    for name in ("ada", "bob", "new")
}
SERVICE = FilesService()
DAV_ADA = "/remote.php/dav/files/ada"
WEBDAV = "/remote.php/webdav"


def office(seed: int = 1, home: Home = HOME) -> Store:
    return Store({"people": PEOPLE, **tables([home, BOB], NOW, seed)}, NOW, seed)


def basic(username: str, password: str | None = None) -> str:
    return "Basic " + b64encode(f"{username}:{password or f'pw:{username}'}".encode()).decode()


def ask(
    store: Store, method: str, address: str, body: bytes = b"", user: str | None = "ada", **headers: str
) -> Response:
    """Send a request; keywords are headers, with underscores for hyphens."""
    sent = {key.replace("_", "-"): value for key, value in headers.items()}
    if user is not None:
        sent.setdefault("authorization", basic(user))
    return SERVICE.handle(store, Request(method, address, "", sent, body))


def error_of(response: Response) -> tuple[int, str]:
    """Check that the body is an error in the format of sabre/dav, and return the status and the error's name."""
    root = ElementTree.fromstring(response.body)
    assert root.tag == "{DAV:}error" and response.header("Content-Type") == "application/xml; charset=utf-8"
    message = root.findtext("{http://sabredav.org/ns}message")
    assert message
    return response.status, (root.findtext("{http://sabredav.org/ns}exception") or "").rpartition("\\")[2]


def found(response: Response) -> dict[str, dict[int, dict[str, ElementTree.Element]]]:
    """Return the properties in a multistatus response, by address, status and name."""
    assert response.status == 207, (response.status, response.body)
    result: dict[str, dict[int, dict[str, Any]]] = {}
    for one in ElementTree.fromstring(response.body).findall("{DAV:}response"):
        parts = result.setdefault(one.findtext("{DAV:}href") or "", {})
        for part in one.findall("{DAV:}propstat"):
            status = int((part.findtext("{DAV:}status") or "").split()[1])
            assert status not in parts
            parts[status] = {child.tag: child for child in part.find("{DAV:}prop") or ()}
    return result


def check_tree(store: Store, user: str = "ada") -> None:
    """Check that folders' records are consistent with their contents, and that every record is reachable."""
    rows = {key[len(user) :]: record for key, record in store.rows(NODES) if key.startswith(user + "/")}
    ids = [record["id"] for record in rows.values()]
    assert len(set(ids)) == len(ids)
    for path, record in rows.items():
        if "children" not in record:
            assert type(record["content"]) is bytes
            continue
        start = path if path == "/" else path + "/"
        below = {other: one for other, one in rows.items() if other.startswith(start) and other != path}
        assert record["children"] == sorted(other[len(start) :] for other in below if "/" not in other[len(start) :])
        assert record["entries"] == len(below)
        assert record["size"] == sum(len(one["content"]) for one in below.values() if "content" in one)
    for path in rows:
        above = path.rpartition("/")[0] or "/"
        assert path == "/" or "children" in rows[above]


if TYPE_CHECKING:
    from teller_gym.office.serving import Serving


@contextmanager
def served_office() -> Iterator[Serving]:
    """Serve the file store of the tests, and check the tree at the end."""
    with served(SERVICE, office()) as serving:
        yield serving
        serving.look(check_tree)


def program(name: str) -> str:
    """Return a program's path, or skip the test if the program is not installed."""
    found = shutil.which(name)
    return found if found else missing(name)


def missing(package: str) -> Any:
    pytest.skip(f"NOT RUN: {package} is not installed (apt-get install {package})")


D = "{DAV:}"


class Active(NamedTuple):
    """An activelock element."""

    token: str
    root: str
    depth: str
    scope: str
    seconds: int


def proppatch(*acts: str) -> bytes:
    """Return a body from pieces such as ``set <a/>`` and ``remove <b/>``."""
    parts = [act.partition(" ") for act in acts]
    inner = "".join(f"<d:{kind}><d:prop>{props}</d:prop></d:{kind}>" for kind, _, props in parts)
    return f'<d:propertyupdate xmlns:d="DAV:">{inner}</d:propertyupdate>'.encode()


def lockinfo(scope: str = "exclusive", owner: str = "") -> bytes:
    named = f"<owner>{owner}</owner>" if owner else ""
    return (
        f'<lockinfo xmlns="DAV:"><lockscope><{scope}/></lockscope><locktype><write/></locktype>{named}</lockinfo>'
    ).encode()


def lock(store: Store, address: str, scope: str = "exclusive", **headers: str) -> str:
    """Take a lock and return its token."""
    response = ask(store, "LOCK", address, lockinfo(scope), **headers)
    assert response.status in (200, 201), (response.status, response.body)
    match = re.fullmatch(r"<(opaquelocktoken:[0-9a-f-]{36})>", response.header("Lock-Token") or "")
    assert match is not None and [one.token for one in locks_in(response)] == [match[1]]
    return match[1]


def locks_in(response: Response) -> list[Active]:
    """Return the active locks listed in a body."""
    return [
        Active(
            one.findtext(f"{D}locktoken/{D}href") or "",
            one.findtext(f"{D}lockroot/{D}href") or "",
            one.findtext(f"{D}depth") or "",
            next(iter(one.find(f"{D}lockscope") or ())).tag.removeprefix(D),
            int((one.findtext(f"{D}timeout") or "").removeprefix("Second-")),
        )
        for one in ElementTree.fromstring(response.body).iter(f"{D}activelock")
    ]


def locks_of(store: Store, address: str) -> list[Active]:
    """Return the active locks that lockdiscovery reports for an address."""
    body = b'<propfind xmlns="DAV:"><prop><lockdiscovery/></prop></propfind>'
    return locks_in(ask(store, "PROPFIND", address, body, depth="0"))


def refused(response: Response) -> tuple[int, str, list[str]]:
    """Return an error's status, its condition and the addresses in it."""
    root = ElementTree.fromstring(response.body)
    assert root.tag == f"{D}error"
    (condition,) = [child for child in root if child.tag.startswith(D)]
    return response.status, condition.tag.removeprefix(D), [one.text or "" for one in condition]


def failed(response: Response) -> dict[str, str]:
    """Return the statuses in a multistatus response, by address."""
    assert response.status == 207
    found = ElementTree.fromstring(response.body).findall(f"{D}response")
    return {one.findtext(f"{D}href") or "": one.findtext(f"{D}status") or "" for one in found}
