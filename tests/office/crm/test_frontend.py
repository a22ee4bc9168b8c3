"""The global search, the public settings and the labels, as clients and front ends request them."""

from __future__ import annotations

import pytest

from teller_gym.office.crm.frontend import label, plural
from teller_gym.office.web import Request, Response
from tests.office.crm.world import SERVICE, office, reason

BEN = {"x-api-key": "key-of-ben"}


def get(path: str, query: str = "", **headers: str) -> Response:
    return SERVICE.handle(office(), Request("GET", f"/api/v1/{path}", query, headers))


def test_the_global_search_goes_over_entities() -> None:
    found = get("GlobalSearch", "q=A", **BEN).data()
    assert found["total"] == -2 and {"Account", "Contact"} <= {one["_scope"] for one in found["list"]}
    assert all(one.keys() == {"id", "name", "_scope"} for one in found["list"])
    first = get("GlobalSearch", "q=A&maxSize=1", **BEN).data()
    second = get("GlobalSearch", "q=A&maxSize=1&offset=1", **BEN).data()
    assert first["total"] == -1 and [*first["list"], *second["list"]] == found["list"][:2]
    assert get("GlobalSearch", "q=nobody-of-this-name", **BEN).data() == {"total": -2, "list": []}


@pytest.mark.parametrize(
    "query", ["", "q=", "q=%20", "q=a&maxSize=0", "q=a&maxSize=201", "q=a&offset=-1", "q=" + "a" * 2000]
)
def test_a_global_search_that_makes_no_sense(query: str) -> None:
    found = get("GlobalSearch", query, **BEN)
    assert found.status == 400 and reason(found)


def test_the_global_search_is_for_users() -> None:
    assert get("GlobalSearch", "q=a").status == 401


def test_settings_and_labels_are_for_everybody_but_not_for_wrong_keys() -> None:
    settings = get("Settings").data()
    assert settings == get("Settings", **BEN).data() and settings["defaultCurrency"] == "GBP"
    assert "Contact" in settings["globalSearchEntityList"] and "password" not in str(settings)
    labels = get("I18n").data()
    assert labels["Contact"]["fields"]["firstName"] == "First Name"
    assert labels["Global"]["scopeNamesPlural"]["Opportunity"] == "Opportunities"
    assert labels["Task"]["options"]["status"]["Not Started"] == "Not Started"
    for path in ("Settings", "I18n"):
        assert get(path, x_api_key="no", **{"x-api-key": "no"}).status == 401
        assert SERVICE.handle(office(), Request("PUT", f"/api/v1/{path}", "", BEN)).status == 405


def test_words() -> None:
    assert [label(one) for one in ("name", "dateStart", "cClientNumber", "CBeneficiary", "isAllDay", "case")] == [
        *("Name", "Date Start", "Client Number", "Beneficiary", "Is All Day", "Case")
    ]
    assert [plural(one) for one in ("Case", "Opportunity", "Day")] == ["Cases", "Opportunities", "Days"]


@pytest.mark.parametrize("path", ["/", "", "/index.php"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_the_log_in_page_does_not_answer_what_is_sent_to_it_with_itself(path: str, method: str) -> None:
    body = b"username=ben&password=pw-ben"
    found = SERVICE.handle(office(), Request(method, path, "", {"content-type": "x"}, body))
    assert found.status == 405 and found.header("Allow") == "GET, HEAD" and b"<form" not in found.body
    page = SERVICE.handle(office(), Request("GET", path)).body
    assert b'action="/web/login"' in page and b'name="username"' in page and b'type="password"' in page
