"""The CRM's HTTP API: authentication, routes, queries and errors; EspoCRM's documented client works with it."""

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.crm.api import MAX_REASON
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.parameters import nested, search_params
from teller_gym.office.web import Request, Response
from tests.office.crm.world import CASES, SERVICE, ask, office, reason, rid
from tests.office.served import served

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
        *CASES["routes"],
        ("GET", f"/api/v1/Contact/{ANN}/friends", 404),
        ("POST", f"/api/v1/Contact/{ANN}", 405),
        ("POST", f"/api/v1/Contact/{ANN}/accounts", 405),
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


NAMES = st.text("abcXYZ", min_size=1, max_size=4)
VALUES = st.recursive(
    st.text(max_size=5),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3), st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


def flat(value: Any, name: str = "") -> list[tuple[str, str]]:
    """Return name and value pairs as PHP's http_build_query writes them."""
    if isinstance(value, str | int):
        return [(name, str(value))]
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [pair for key, one in items for pair in flat(one, f"{name}[{key}]" if name else str(key))]


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_what_was_built_is_read(data: dict[str, Any]) -> None:
    query = urlencode(flat(data))
    assert nested(parse_qsl(query, keep_blank_values=True)) == data


@given(st.lists(st.tuples(st.text("a[]01", max_size=8), st.text(max_size=3)), max_size=8))
def test_odd_names_are_survived(pairs: list[tuple[str, str]]) -> None:
    nested(pairs)


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([("a[]", "1"), ("a[]", "2")], {"a": ["1", "2"]}),
        ([("a[5]", "1"), ("a[]", "2")], {"a": ["1", "2"]}),
        ([("a[1]", "x"), ("a[0]", "y")], {"a": ["x", "y"]}),
        ([("a", "1"), ("a[b]", "2")], {"a": {"b": "2"}}),
        ([("a[b]", "2"), ("a", "1")], {"a": "1"}),
        ([("a[", "1")], {"a[": "1"}),
        ([("", "1")], {"": "1"}),
        ([("a[][b]", "1"), ("a[][b]", "2")], {"a": [{"b": "1"}, {"b": "2"}]}),
    ],
)
def test_brackets(pairs: list[tuple[str, str]], found: dict[str, Any]) -> None:
    assert nested(pairs) == found


def test_deep_names_are_refused() -> None:
    with pytest.raises(CrmError, match="at most 24 deep"):
        nested([("a" + "[0]" * 24, "1")])


def test_a_search_is_read_as_espocrm_reads_it() -> None:
    assert search_params({"where": "x", "maxSize": " 5x", "offset": "-1", "order": "desc"}) == {
        "where": None,
        "maxSize": 5,
        "offset": -1,
        "order": "desc",
    }


ANN, ACME = rid("Contact", "ann"), rid("Account", "acme")


class ApiError(Exception):
    """The server returned a status other than 200, or no body."""


class OneFileClient:
    """Client from EspoCRM's documentation; GET and DELETE send parameters in the query, other methods send JSON."""

    def __init__(self, url: str, api_key: str) -> None:
        self.url = url
        self.api_key = api_key

    def request(self, method: str, action: str, params: dict[str, Any] | None = None) -> Any:
        url, body = f"{self.url}/api/v1/{action}", None
        headers = {"X-Api-Key": self.api_key}
        if method in ("POST", "PUT", "PATCH"):
            body, headers["Content-Type"] = json.dumps(params or {}).encode(), "application/json"
        else:
            url += "?" + urlencode(flat(params or {}))
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=60) as found:
                content = found.read()
        except urllib.error.HTTPError as error:
            why = error.headers.get("X-Status-Reason", "Unknown Error")
            raise ApiError(f"status code is {error.code}, reason is {why}") from None
        if not content:
            raise ApiError("content response is empty")
        return json.loads(content)


@pytest.fixture
def url() -> Iterator[str]:
    with served(SERVICE, office()) as serving:
        yield serving.addresses["crm"]


def test_the_documented_client(url: str) -> None:
    client = OneFileClient(url, "key-of-ben")
    lead = client.request("POST", "Lead", {
        "firstName": "John", "lastName": "Does", "phoneNumber": "+11111-22222-33333", "source": "Web Site",
        "assignedUserId": rid("User", "ben"),
    })  # fmt: skip
    assert lead["name"] == "John Does" and lead["status"] == "New" and lead["assignedUserName"] == "Ben Okafor"
    assert client.request("PUT", f"Lead/{lead['id']}", {"lastName": "Alice"})["name"] == "John Alice"
    assert client.request("GET", "Account")["total"] == 2
    where = [{"type": "equals", "attribute": "phoneNumber", "value": "+11111-22222-33333"}]
    found = client.request("GET", "Lead", {"where": where})
    assert [one["id"] for one in found["list"]] == [lead["id"]]
    some = [{"type": "in", "attribute": "lastName", "value": ["Smith", "Jones"]}]
    assert client.request("GET", "Contact", {"where": some, "maxSize": 1, "orderBy": "name"})["total"] == 2
    client.request("PUT", f"Contact/{ANN}", {"accountsIds": [ACME, rid("Account", "birch")]})
    assert client.request("GET", f"Contact/{ANN}/accounts")["total"] == 2
    assert client.request("DELETE", f"Lead/{lead['id']}") is True
    post = {"type": "Post", "parentType": "Contact", "parentId": ANN, "post": "Done."}
    assert client.request("POST", "Note", post)["parentName"] == "Ann Smith"
    assert client.request("GET", f"Contact/{ANN}/stream")["list"][0]["post"] == "Done."
    with pytest.raises(ApiError, match="409, reason is duplicate"):
        client.request("POST", "Account", {"name": "Acme Ltd"})
    with pytest.raises(ApiError, match="401"):
        OneFileClient(url, "wrong").request("GET", "Account")
