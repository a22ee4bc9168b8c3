"""Lists of records: pages, order, where items, text filter, linked records, refused searches and labels."""

from typing import Any

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.labels import label, plural
from teller_gym.office.crm.links import list_related
from teller_gym.office.crm.records import create, update
from teller_gym.office.crm.search import search
from teller_gym.office.store import Store
from tests.office.crm.world import CASES, office, rid


def names(found: dict[str, Any]) -> list[str]:
    return [one["name"] for one in found["list"]]


def test_a_list_has_the_default_order_and_no_linked_lists() -> None:
    found = search(office(), "ben", "Contact")
    assert found["total"] == 3 and names(found) == ["Young", "Bob Jones", "Ann Smith"]
    one = found["list"][2]
    assert one["accountName"] == "Acme Ltd" and one["deleted"] is False
    assert not {"accountsIds", "teamsIds", "teamsNames", "emailAddressData"} & one.keys()


@pytest.mark.parametrize(("params", "wanted"), CASES["lists"])
def test_lists_are_ordered_and_cut(params: dict[str, Any], wanted: list[str]) -> None:
    found = search(office(), "ben", "Contact", params)
    assert found["total"] == 3
    if params.get("orderBy") == "retirementAge":  # records without a value come first, sorted by id
        assert names(found)[2:] == wanted
    else:
        assert names(found) == wanted


def test_equal_keys_are_ordered_by_id() -> None:
    store = office()
    for _ in range(4):
        create(store, "ben", "Account", {"name": "Same"}, skip_duplicate_check=True)
    up = search(store, "ben", "Account", {"orderBy": "name", "textFilter": "Same"})["list"]
    down = search(store, "ben", "Account", {"orderBy": "name", "order": "desc", "textFilter": "Same"})["list"]
    assert [one["id"] for one in up] == sorted(one["id"] for one in up) and up == down[::-1]


@pytest.mark.parametrize(("entity", "params", "wanted"), CASES["filters"])
def test_where_items_and_the_text_filter(entity: str, params: dict[str, Any], wanted: list[str]) -> None:
    assert names(search(office(), "ben", entity, params)) == wanted


def test_long_text_is_searched_within() -> None:
    store = office()
    update(store, "ben", "Case", rid("Case", "letter"), {"description": "The cheque got lost in the post."})
    assert names(search(store, "ben", "Case", {"textFilter": "cheque"})) == ["Lost letter"]
    assert names(search(store, "ben", "Case", {"textFilter": "the"})) == ["Lost letter"]
    assert names(search(store, "ben", "Case", {"textFilter": "got"})) == []


@pytest.mark.parametrize(
    ("params", "message"),
    [
        *CASES["bad searches"],
        ({"textFilter": "a" * 201}, "at most 200"),
    ],
)
def test_a_bad_search_is_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(CrmError, match=message) as caught:
        search(office(), "ben", "Contact", params)
    assert caught.value.status == 400


def test_a_page_is_bounded_and_an_entity_known() -> None:
    with pytest.raises(CrmError, match="Max size should not exceed 200") as caught:
        search(office(), "ben", "Contact", {"maxSize": 201})
    assert caught.value.status == 403
    with pytest.raises(CrmError, match="Controller 'Kontakt' does not exist") as caught:
        search(office(), "ben", "Kontakt")
    assert caught.value.status == 404
    with pytest.raises(CrmError) as caught:
        search(office(), "nobody", "Contact")
    assert caught.value.status == 401


def test_words() -> None:
    assert [label(one) for one in ("name", "dateStart", "cClientNumber", "CBeneficiary", "isAllDay", "case")] == [
        *("Name", "Date Start", "Client Number", "Beneficiary", "Is All Day", "Case")
    ]
    assert [plural(one) for one in ("Case", "Opportunity", "Day")] == ["Cases", "Opportunities", "Days"]


def linked(store: Store, entity: str, key: str, link: str, user: str = "ben", **params: Any) -> list[str]:
    found = list_related(store, user, entity, rid(entity, key), link, {"orderBy": "name", **params})
    assert found["total"] >= len(found["list"])
    return [one["name"] for one in found["list"]]


@pytest.mark.parametrize(("entity", "key", "link", "wanted"), CASES["links"])
def test_links_are_listed_from_both_sides(entity: str, key: str, link: str, wanted: list[str]) -> None:
    assert linked(office(), entity, key, link) == wanted


def test_a_listed_link_is_searched_like_a_list() -> None:
    store = office()
    more = {"where": [{"type": "greaterThan", "attribute": "share", "value": 50}]}
    assert list_related(store, "ben", "Contact", rid("Contact", "ann"), "beneficiaries", more)["list"][0]["share"] == 60
    assert linked(store, "Contact", "ann", "beneficiaries", maxSize=1) == ["Eve Smith"]


def test_a_bad_listing_is_refused() -> None:
    store, ann = office(), rid("Contact", "ann")
    for user, entity, key, link, status in (
        ("ben", "Contact", ann, "friends", 404),
        ("ben", "Contact", "nobody", "accounts", 404),
        ("ben", "Kontakt", ann, "accounts", 404),
    ):
        with pytest.raises(CrmError) as caught:
            list_related(store, user, entity, key, link)
        assert caught.value.status == status
