"""The search over several entities, and the words for entities and fields."""

from __future__ import annotations

import pytest

from teller_gym.office.crm.labels import label, plural
from teller_gym.office.web import Response
from tests.office.crm.world import ask, office, reason


def get(params: dict[str, str], key: str | None = "key-of-ben") -> Response:
    return ask(office(), "GET", "/GlobalSearch", params=params, key=key)


def test_the_global_search_goes_over_entities() -> None:
    found = get({"q": "A"}).data()
    assert found["total"] == -2 and {"Account", "Contact"} <= {one["_scope"] for one in found["list"]}
    assert all(one.keys() == {"id", "name", "_scope"} for one in found["list"])
    first, second = (get({"q": "A", "maxSize": "1", "offset": offset}).data() for offset in "01")
    assert first["total"] == -1 and [*first["list"], *second["list"]] == found["list"][:2]
    assert get({"q": "nobody-of-this-name"}).data() == {"total": -2, "list": []}
    assert get({"q": "Eve"}).data()["list"][0]["_scope"] == "CBeneficiary"
    assert get({"q": "a"}, key=None).status == 401


@pytest.mark.parametrize(
    "params",
    [{}, {"q": " "}, {"q": "a" * 2000}, *({"q": "a", **one} for one in (
        {"maxSize": "0"}, {"maxSize": "201"}, {"offset": "-1"}))],
)  # fmt: skip
def test_a_global_search_that_makes_no_sense(params: dict[str, str]) -> None:
    found = get(params)
    assert found.status == 400 and reason(found)


def test_words() -> None:
    assert [label(one) for one in ("name", "dateStart", "cClientNumber", "CBeneficiary", "isAllDay", "case")] == [
        *("Name", "Date Start", "Client Number", "Beneficiary", "Is All Day", "Case")
    ]
    assert [plural(one) for one in ("Case", "Opportunity", "Day")] == ["Cases", "Opportunities", "Days"]
