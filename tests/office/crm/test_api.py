"""The HTTP layer: authentication, routes, status codes, error shapes; and that it survives whatever comes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest

from teller_gym.office.crm.api import MAX_REASON
from teller_gym.office.web import MAX_BODY, Request, Response
from tests.office.crm.world import SERVICE, ask, office, reason, rid

ANN = rid("Contact", "ann")
REVIEW = rid("Meeting", "review")


def b64(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def send(path: str, method: str = "GET", store: Any = None, **headers: str) -> Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return SERVICE.handle(store or office(), Request(method, path, headers=sent))


def signed(
    method: str, path: str, key: str = "key-signed", secret: str = "a-secret-of-sixteen", raw: bool = False
) -> str:
    made = hmac.new(secret.encode(), f"{method} /{path}".encode(), hashlib.sha256)
    return b64(f"{key}:".encode() + (made.digest() if raw else made.hexdigest().encode()))


@pytest.mark.parametrize(
    "headers",
    [
        {"x_api_key": "key-of-ben"},
        {"authorization": "Basic " + b64("ben:pw-ben")},
        {"authorization": "basic " + b64("ben@bank.example:pw-ben")},
        {"espo_authorization": b64("ben:pw-ben")},
        {"espo_authorization": b64(" ben : pw-ben ")},
        {"x_hmac_authorization": signed("GET", f"Contact/{ANN}")},
        {"x_hmac_authorization": signed("GET", f"Contact/{ANN}", raw=True)},
    ],
)
def test_ways_in(headers: dict[str, str]) -> None:
    found = send(f"/api/v1/Contact/{ANN}", **headers)
    assert found.status == 200 and found.data()["name"] == "Ann Smith"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x_api_key": ""},
        {"x_api_key": "key-of-nobody"},
        {"x_api_key": "key-expired"},
        {"x_api_key": "key-signed"},
        {"authorization": "Bearer key-of-ben"},
        {"authorization": "Basic " + b64("ben:wrong")},
        {"espo_authorization": b64("ben:wrong")},
        {"espo_authorization": b64("ben:key-of-ben")},
        {"x_hmac_authorization": signed("GET", "Contact")},
        {"x_hmac_authorization": signed("POST", f"Contact/{ANN}")},
        {"x_hmac_authorization": signed("GET", f"Contact/{ANN}", secret="another")},
        {"x_hmac_authorization": signed("GET", f"Contact/{ANN}", key="key-of-ben")},
        {"x_hmac_authorization": signed("GET", f"Contact/{ANN}", key="key-signed-expired", secret="s")},
        {"x_hmac_authorization": signed("GET", f"api/v1/Contact/{ANN}")},
        {"x_hmac_authorization": "?"},
        {"x_hmac_authorization": b64("key-signed")},
        {"x_hmac_authorization": b64(b"\xff:x")},
    ],
)
def test_no_way_in(headers: dict[str, str]) -> None:
    found = send(f"/api/v1/Contact/{ANN}", **headers)
    assert (found.status, found.body) == (401, b"")
    assert (found.header("WWW-Authenticate") is not None) is (not headers)


@pytest.mark.parametrize("value", ["?", b64("ben"), ""])
def test_a_malformed_way_in(value: str) -> None:
    for headers in ({"espo_authorization": value}, {"authorization": f"Basic {value}"}):
        found = send(f"/api/v1/Contact/{ANN}", **headers)
        assert found.status == 400 and reason(found) == "Auth: Bad authorization string provided."


def test_no_password_is_asked_for_behind_a_page() -> None:
    assert send("/api/v1/Contact", referer="/").header("WWW-Authenticate") is None
    assert send("/api/v1/Contact", method="POST").header("WWW-Authenticate") is None


def test_a_token_takes_the_place_of_the_password() -> None:
    store = office()
    first = send("/api/v1/App/user", store=store, espo_authorization=b64("ben:pw-ben")).data()
    token = first["token"]
    assert len(token) == 32 and first["user"]["userName"] == "ben" and first["user"]["id"] == rid("User", "ben")
    assert first["acl"]["table"]["Contact"]["edit"] == "all" and first["settings"]["defaultCurrency"] == "GBP"
    again = send("/api/v1/App/user", store=store, espo_authorization=b64(f"ben:{token}")).data()
    assert again["token"] == token
    assert send("/api/v1/App/user", store=store, espo_authorization=b64("ben:pw-ben")).data()["token"] != token
    assert send("/api/v1/Contact", store=store, espo_authorization=b64(f"ben:{token}")).status == 200
    assert send("/api/v1/Contact", store=store, espo_authorization=b64(f"cleo:{token}")).status == 401
    assert send("/api/v1/Contact", store=store, x_api_key=token).status == 401
    by_key = send("/api/v1/App/user", store=store, x_api_key="key-of-ben").data()
    assert by_key["token"] is None and "password" not in json.dumps(by_key)


@pytest.mark.parametrize("path", ["/", "", "/index.php"])
def test_the_page_in_a_browser_is_html(path: str) -> None:
    found = send(path)
    assert found.status == 200 and (found.header("Content-Type") or "").startswith("text/html")
    assert b"EspoCRM" in found.body


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
        ("GET", "/api/v1/Stream", 404),
        ("GET", "/api/v1/Contact/nobody", 404),
        ("GET", "/api/v1/Contact/%00", 404),
        ("GET", f"/api/v1/Contact/{ANN}/friends", 404),
        ("GET", "/api/v1/Contact/action/x", 404),
        ("POST", "/api/v1/Meeting/action/sendInvitations", 404),
        ("PUT", "/api/v1/Meeting/action/x", 404),
        ("PUT", "/api/v1/Contact", 405),
        ("POST", f"/api/v1/Contact/{ANN}", 405),
        ("PUT", f"/api/v1/Contact/{ANN}/accounts", 405),
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
    assert ask(store, "POST", "/Account", {"name": "Acme Ltd", "_skipDuplicateCheck": True}).status == 200
    none = ask(store, "GET", "/Account", key="key-of-dan")
    assert (none.status, none.body, reason(none)) == (403, b"", "No read access.")
    size = ask(store, "GET", "/Contact", params={"maxSize": 201})
    assert (size.status, reason(size)) == (403, "Max size should not exceed 200. Use offset and limit.")
    where = ask(store, "GET", "/Contact", params={"where[0][type]": "equals", "where[0][attribute]": "x\u2019" * 400})
    assert where.status == 400 and len(reason(where)) <= MAX_REASON and "\u2019" not in reason(where)


def test_searches_over_http() -> None:
    store = office()

    def names(**params: Any) -> list[str]:
        return [one["name"] for one in ask(store, "GET", "/Contact", params=params).data()["list"]]

    where = {"where[0][type]": "or", "where[0][value][0][type]": "in", "where[0][value][0][attribute]": "lastName",
             "where[0][value][0][value][]": "Smith", "where[0][value][1][type]": "isNull",
             "where[0][value][1][attribute]": "firstName"}  # fmt: skip
    assert names(orderBy="name", **where) == ["Ann Smith", "Young"]
    assert names(orderBy="name", **{key.replace("where", "whereGroup", 1): value for key, value in where.items()}) == [
        "Ann Smith",
        "Young",
    ]
    assert names(where="type", orderBy="name") == ["Ann Smith", "Bob Jones", "Young"], "no array is no filter"
    assert names(orderBy="name", order="desc", offset="1", maxSize="1") == ["Bob Jones"]
    assert names(offset="", maxSize="", orderBy="name", asc="x") == ["Ann Smith", "Bob Jones", "Young"]
    assert names(maxSize="x") == []
    assert names(textFilter="ann") == names(q=" ann ") == ["Ann Smith"]
    assert names(primaryFilter="all", boolFilterList="onlyMy") == ["Young", "Ann Smith"]
    assert names(**{"boolFilterList[]": "onlyMy"}) == ["Young", "Ann Smith"]
    one = ask(store, "GET", "/Contact", params={"select": "id,firstName", "orderBy": "id", "textFilter": "ann"})
    assert set(one.data()["list"][0]) == {"id", "firstName", "assignedUserId", "createdById"}
    assert set(ask(store, "GET", "/Contact", params={"attributeSelect": "title"}).data()["list"][0]) >= {"title"}
    asked = {
        "where": [{"type": "equals", "attribute": "lastName", "value": "Jones"}],
        "select": ["name"],
        "offset": "0",
    }
    assert names(searchParams=json.dumps(asked)) == ["Bob Jones"]
    for bad in ("{", "[]", '"x"', '{"maxSize": "5"}', '{"where": 1}', '{"select": "name"}', "[" * 100_000):
        assert ask(store, "GET", "/Contact", params={"searchParams": bad}).status == 400
    assert ask(store, "GET", "/Contact", x_no_total="true", params={"maxSize": 1}).data()["total"] == -1
    assert ask(store, "GET", "/Contact", params={"q": "ann"}).data()["total"] == -2, "a quick search is not counted"


def test_links_streams_and_actions_over_http() -> None:
    store, review, bob = office(), rid("Meeting", "review"), rid("Contact", "bob")
    assert ask(store, "GET", f"/Meeting/{review}/contacts").data()["total"] == 1
    assert ask(store, "POST", f"/Meeting/{review}/contacts", {"id": bob}).data() is True
    assert ask(store, "DELETE", f"/Meeting/{review}/contacts", {"ids": [bob, ANN]}).data() is True
    assert ask(store, "GET", f"/Meeting/{review}/contacts").data()["total"] == 0
    assert ask(store, "POST", f"/Meeting/{review}/contacts", {"ids": "x"}).data() is False
    assert ask(store, "DELETE", f"/Meeting/{review}/contacts", params={"id": bob}).data() is False, "ids go in the body"
    assert ask(store, "POST", f"/Meeting/{review}/contacts", {"massRelate": True}).status == 403
    assert len(ask(store, "GET", f"/Meeting/{review}/attendees").data()["list"]) == 2
    answer = {"id": review, "status": "Accepted"}
    assert ask(store, "POST", "/Meeting/action/setAcceptanceStatus", answer, key="key-of-cleo").data() is True
    assert ask(store, "POST", "/Meeting/action/setAcceptanceStatus", {"id": review}).status == 400
    note = ask(store, "POST", "/Note", {"type": "Post", "parentType": "Contact", "parentId": ANN, "post": "Hi"})
    assert note.status == 200 and note.data()["post"] == "Hi"
    stream = ask(store, "GET", f"/Contact/{ANN}/stream", params={"maxSize": 1}).data()
    assert (stream["total"], stream["list"][0]["post"]) == (3, "Hi")
    assert ask(store, "GET", f"/Contact/{ANN}/posts").data()["total"] == 2


def test_files_over_http() -> None:
    store = office()
    file = {"name": 'a"\n\u00fc.txt', "type": "text/plain", "file": "data:text/plain;base64,aGk="}
    made = ask(store, "POST", "/Attachment", file)
    assert made.status == 200
    found = ask(store, "GET", f"/Attachment/file/{made.data()['id']}")
    assert (found.body, found.header("Content-Type")) == (b"hi", "text/plain")
    assert found.header("Content-Disposition") == 'attachment; filename="a___.txt"'


def test_bodies() -> None:
    store = office()
    for body, kind, status in (
        (b"{", "application/json", 400),
        (b"5", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"name": "\xff"}', "application/json", 400),
        (b'{"name": "x"}', "text/plain", 400),
        (b"", "application/json", 400),
        (b"name=Elm", "application/x-www-form-urlencoded", 200),
        (b"name=%FF&teamsIds[]=", "application/x-www-form-urlencoded", 400),
        (b"\xff", "application/x-www-form-urlencoded", 400),
        (b"a=1&" * 2_000, "application/x-www-form-urlencoded", 400),
        (b'{"name": "Oak"}', "Application/JSON; charset=utf-8", 200),
    ):
        assert ask(store, "POST", "/Account", body, content_type=kind).status == status, body[:20]
    assert ask(store, "POST", "/Account", bytes(MAX_BODY + 1)).status == 413
    assert ask(store, "GET", "/Contact", params={f"a{n}": n for n in range(1_001)}).status == 400
    assert ask(store, "GET", "/Contact", params={"where" + "[0]" * 30: 1}).status == 400


def test_the_description_of_the_api() -> None:
    store = office()
    for key, status in (("key-of-ben", 403), ("key-of-cleo", 200), ("key-of-ada", 200)):
        assert ask(store, "GET", "/OpenApi", key=key).status == status
    found = ask(store, "GET", "/OpenApi", key="key-of-ada").data()
    assert {"/Contact", "/Contact/{id}", "/CBeneficiary"} <= found["paths"].keys()
    contact = found["components"]["schemas"]["Contact"]
    assert contact["required"] == ["lastName"] and contact["properties"]["riskProfile"]["enum"][0] is None
    assert contact["properties"]["accountName"]["readOnly"] and "readOnly" not in contact["properties"]["accountId"]
