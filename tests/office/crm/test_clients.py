"""Real HTTP: a client written as EspoCRM documents its own one-file clients."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.office.crm.test_parameters import flat
from tests.office.crm.world import SERVICE, office, rid
from tests.office.served import served

ANN, ACME = rid("Contact", "ann"), rid("Account", "acme")


class ApiError(Exception):
    """Anything but status 200."""


class OneFileClient:
    """Sends reads and deletions with parameters in the query, the rest with JSON; wants 200 and a body."""

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


def test_the_documented_client_schedules_a_meeting(url: str) -> None:
    client = OneFileClient(url, "key-of-ben")
    ben, cleo = rid("User", "ben"), rid("User", "cleo")
    day = {"type": "between", "attribute": "dateStart", "value": ["2026-03-02 00:00:00", "2026-03-02 23:59:59"]}
    busy = client.request("GET", f"User/{cleo}/meetings", {"where": [day]})
    assert [one["dateStart"] for one in busy["list"]] == ["2026-03-02 14:00:00"]
    made = client.request("POST", "Meeting", {
        "name": "Plan", "dateStart": "2026-03-02 15:00:00", "dateEnd": "2026-03-02 16:00:00", "assignedUserId": ben,
        "usersIds": [ben, cleo], "contactsIds": [ANN], "parentType": "Account", "parentId": ACME,
    })  # fmt: skip
    assert made["parentName"] == "Acme Ltd" and made["contactsNames"] == {ANN: "Ann Smith"}


def test_a_browser_sees_the_login_page(url: str) -> None:
    with urllib.request.urlopen(url + "/", timeout=60) as found:
        assert found.status == 200 and found.headers["Content-Type"].startswith("text/html")
