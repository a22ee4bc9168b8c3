"""The example office: its four services accept its credentials and share one store."""

from base64 import b64encode
from typing import Any

import msgspec

from examples.small_office import open_office
from teller_gym.office.web import Request, Response


def test_all_four_services_answer() -> None:
    office = open_office()
    known: Any = office.credentials()

    def ask(service: str, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Response:
        lower = {name.lower(): value for name, value in headers.items()}
        return office.services[service].handle(office.store, Request(method, path, "", lower, body))

    pair = f"{known['files']['username']}:{known['files']['password']}".encode()
    signed = {"authorization": f"Basic {b64encode(pair).decode()}"}
    path = "/remote.php/webdav/Clients/Kerr/assets.csv"
    assert ask("files", "GET", path, signed).body.startswith(b"asset,value")
    assert ask("files", "PUT", path.replace("assets", "net"), signed, b"net,250000").status == 201
    assert ask("files", "GET", path, {}).status == 401
    login = ask(
        "chat",
        "POST",
        "/api/v1/login",
        {"content-type": "application/json"},
        msgspec.json.encode({"user": known["chat"]["username"], "password": known["chat"]["password"]}),
    ).data()["data"]
    token = {"x-auth-token": login["authToken"], "x-user-id": login["userId"], "content-type": "application/json"}
    said = ask("chat", "POST", "/api/v1/chat.postMessage", token, b'{"channel":"#general","text":"Good morning"}')
    assert said.status == 200 and said.data()["success"]
    (contact,) = ask("crm", "GET", "/api/v1/Contact", known["crm"]).data()["list"]
    assert contact["name"] == "Mona Kerr"
    (project,) = ask("tracker", "GET", "/api/v1/workspaces/office/projects/", known["tracker"]).data()["results"]
    assert project["identifier"] == "CL"
    tables = {change.table.partition(".")[0] for change in office.store.diff()}
    assert {"files", "chat"} <= tables and not {"crm", "tracker"} & tables
