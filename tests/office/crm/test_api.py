"""The HTTP layer: authentication, routes, status codes and error shapes."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from teller_gym.office.crm.api import MAX_REASON
from teller_gym.office.web import Request, Response
from tests.office.crm.world import SERVICE, ask, office, reason, rid

ANN = rid("Contact", "ann")


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def send(path: str, method: str = "GET", **headers: str) -> Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return SERVICE.handle(office(), Request(method, path, headers=sent))


@pytest.mark.parametrize(
    "headers",
    [
        {"x_api_key": "key-of-ben"},
        {"authorization": "Basic " + b64("ben:pw-ben")},
        {"authorization": "basic " + b64("ben@bank.example:pw-ben")},
    ],
)
def test_ways_in(headers: dict[str, str]) -> None:
    found = send(f"/api/v1/Contact/{ANN}", **headers)
    assert found.status == 200 and found.data()["name"] == "Ann Smith"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        *({"x_api_key": key} for key in ("", "key-of-nobody")),
        {"authorization": "Bearer key-of-ben"},
        {"authorization": "Basic " + b64("ben:wrong")},
    ],
)
def test_no_way_in(headers: dict[str, str]) -> None:
    found = send(f"/api/v1/Contact/{ANN}", **headers)
    assert (found.status, found.body) == (401, b"")
    assert found.header("WWW-Authenticate") == 'Basic realm=""'


@pytest.mark.parametrize("value", ["?", b64("ben"), ""])
def test_a_malformed_way_in(value: str) -> None:
    found = send(f"/api/v1/Contact/{ANN}", authorization=f"Basic {value}")
    assert found.status == 400 and reason(found) == "Auth: Bad authorization string provided."


def test_a_client_reads_about_its_user() -> None:
    found = send("/api/v1/App/user", x_api_key="key-of-ben").data()
    assert found["user"]["userName"] == "ben" and found["user"]["id"] == rid("User", "ben")
    assert "password" not in json.dumps(found)


@pytest.mark.parametrize("path", ["/", "", "/index.php"])
def test_the_page_in_a_browser_is_html(path: str) -> None:
    found = send(path)
    assert found.status == 200 and (found.header("Content-Type") or "").startswith("text/html")
    assert b"EspoCRM" in found.body and b'action="/web/login"' in found.body and b'type="password"' in found.body
    for method in ("POST", "PUT", "DELETE"):
        refused = SERVICE.handle(office(), Request(method, path, "", {"content-type": "x"}, b"username=ben"))
        assert refused.status == 405 and refused.header("Allow") == "GET, HEAD" and b"<form" not in refused.body


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/Contact", 404),
        ("GET", "/api/v1x/Contact", 404),
        ("GET", "/api/v1/Contact/a/b/c", 404),
        ("GET", "/api/v1/Contact/", 404),
        ("GET", "/api/v1//Contact", 404),
        ("GET", "/api/v1/Kontakt", 404),
        ("GET", "/api/v1/Kontakt/x", 404),
        ("GET", "/api/v1/Contact/nobody", 404),
        ("GET", "/api/v1/Contact/%00", 404),
        ("GET", f"/api/v1/Contact/{ANN}/friends", 404),
        ("PUT", "/api/v1/Contact", 405),
        ("POST", f"/api/v1/Contact/{ANN}", 405),
        ("POST", f"/api/v1/Contact/{ANN}/accounts", 405),
        ("POST", "/api/v1/App/user", 405),
        ("OPTIONS", "/api/v1/Contact", 405),
        ("BREW", "/api/v1/Contact", 405),
        ("GET", "/api/v1", 200),
        ("GET", "/api/v1/", 200),
        ("GET", "/api/v1/%43ontact", 200),
    ],
)
def test_routes(method: str, path: str, status: int) -> None:
    found = send(path, method=method, x_api_key="key-of-ben")
    assert found.status == status
    if status == 405:
        assert method not in (found.header("Allow") or method).split(", ")
    if status in (404, 405) and path.startswith("/api/v1/"):
        assert found.body == b"" and reason(found)


def test_one_record_over_http() -> None:
    store = office()
    made = ask(store, "POST", "/Account", {"name": "Elm"})
    assert made.status == 200 and (made.header("Content-Type") or "").startswith("application/json")
    key = made.data()["id"]
    assert ask(store, "GET", f"/Account/{key}").data() == made.data()
    for method, name in (("PUT", "Oak"), ("PATCH", "Ash")):
        assert ask(store, method, f"/Account/{key}", {"name": name}).data()["name"] == name
    deleted = ask(store, "DELETE", f"/Account/{key}")
    assert (deleted.status, deleted.body) == (200, b"true")
    assert ask(store, "GET", f"/Account/{key}").status == 404


def test_errors_have_espocrms_shapes() -> None:
    store = office()
    failed = ask(store, "POST", "/Contact", {"firstName": "x"})
    assert failed.status == 400
    assert failed.data()["messageTranslation"]["data"] == {"field": "lastName", "type": "required"}
    assert reason(failed) == "Field validation failure; entityType: Contact, field: lastName, type: required."
    twice = ask(store, "POST", "/Account", {"name": "Acme Ltd"})
    assert (twice.status, reason(twice), twice.data()[0]["id"]) == (409, "duplicate", rid("Account", "acme"))
    assert ask(store, "POST", "/Account", {"name": "Acme Ltd"}, x_skip_duplicate_check="true").status == 200
    none = ask(store, "DELETE", f"/User/{rid('User', 'cleo')}")
    assert (none.status, none.body, reason(none)) == (403, b"", "No delete access.")
    size = ask(store, "GET", "/Contact", params={"maxSize": 201})
    assert (size.status, reason(size)) == (403, "Max size should not exceed 200. Use offset and limit.")
    where = ask(store, "GET", "/Contact", params={"where[0][type]": "equals", "where[0][attribute]": "x\u2019" * 400})
    assert where.status == 400 and len(reason(where)) <= MAX_REASON and "\u2019" not in reason(where)


def test_searches_over_http() -> None:
    store = office()

    def names(**params: Any) -> list[str]:
        return [one["name"] for one in ask(store, "GET", "/Contact", params=params).data()["list"]]

    where = {"where[0][type]": "in", "where[0][attribute]": "lastName", "where[0][value][]": "Smith",
             "where[1][type]": "isNotNull", "where[1][attribute]": "firstName"}  # fmt: skip
    assert names(**where) == ["Ann Smith"]
    assert names(where="type", orderBy="name") == ["Ann Smith", "Bob Jones", "Young"], "no array is no filter"
    assert names(orderBy="name", order="desc", offset="1", maxSize="1") == ["Bob Jones"]
    assert names(offset="", maxSize="", orderBy="name", asc="x") == ["Ann Smith", "Bob Jones", "Young"]
    assert names(maxSize="x") == []
    assert names(textFilter="ann") == ["Ann Smith"]


def test_links_and_streams_over_http() -> None:
    store = office()
    assert ask(store, "GET", f"/Meeting/{rid('Meeting', 'review')}/contacts").data()["total"] == 1
    note = ask(store, "POST", "/Note", {"type": "Post", "parentType": "Contact", "parentId": ANN, "post": "Hi"})
    assert note.status == 200 and note.data()["post"] == "Hi"
    stream = ask(store, "GET", f"/Contact/{ANN}/stream", params={"maxSize": 1}).data()
    assert (stream["total"], stream["list"][0]["post"]) == (2, "Hi")
    assert ask(store, "POST", "/Attachment", {"name": "a.txt"}).status == 403


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        *((one, "application/json", 400) for one in (b"{", b"5", b"[1]", b"[" * 100_000, b'{"name": "\xff"}', b"")),
        (b'{"name": "x"}', "text/plain", 400),
        (b'{"name": "Oak"}', "Application/JSON; charset=utf-8", 200),
    ],
    ids=range(8),
)
def test_bodies(body: bytes, kind: str, status: int) -> None:
    assert ask(office(), "POST", "/Account", body, content_type=kind).status == status


def test_queries_are_bounded() -> None:
    assert ask(office(), "GET", "/Contact", params={f"a{n}": n for n in range(1_001)}).status == 400
    assert ask(office(), "GET", "/Contact", params={"where" + "[0]" * 30: 1}).status == 400
