"""Lists: pages, order, where items, the text filter, and refused searches."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.records import create, update
from teller_gym.office.crm.search import search
from tests.office.crm.world import office, rid


def names(found: dict[str, Any]) -> list[str]:
    return [one["name"] for one in found["list"]]


def test_a_list_has_the_default_order_and_no_linked_lists() -> None:
    found = search(office(), "ben", "Contact")
    assert found["total"] == 3 and names(found) == ["Young", "Bob Jones", "Ann Smith"]
    one = found["list"][2]
    assert one["accountName"] == "Acme Ltd" and one["deleted"] is False
    assert not {"accountsIds", "teamsIds", "teamsNames", "emailAddressData"} & one.keys()


@pytest.mark.parametrize(
    ("params", "wanted"),
    [
        ({"orderBy": "name"}, ["Ann Smith", "Bob Jones", "Young"]),
        ({"orderBy": "name", "order": "desc"}, ["Young", "Bob Jones", "Ann Smith"]),
        ({"order": "ASC"}, ["Ann Smith", "Bob Jones", "Young"]),
        ({"orderBy": "account"}, ["Young", "Ann Smith", "Bob Jones"]),
        ({"orderBy": "accountName", "order": "desc"}, ["Bob Jones", "Ann Smith", "Young"]),
        ({"orderBy": "riskProfile"}, ["Ann Smith", "Bob Jones", "Young"]),
        ({"orderBy": "riskProfile", "order": "desc"}, ["Bob Jones", "Ann Smith", "Young"]),
        ({"orderBy": "retirementAge"}, ["Ann Smith"]),
        ({"orderBy": "name", "offset": 1, "maxSize": 1}, ["Bob Jones"]),
        ({"orderBy": "name", "offset": 9}, []),
        ({"maxSize": 0}, []),
    ],
)
def test_lists_are_ordered_and_cut(params: dict[str, Any], wanted: list[str]) -> None:
    found = search(office(), "ben", "Contact", params)
    assert found["total"] == 3
    if params.get("orderBy") == "retirementAge":  # what has no value comes first, and ties go by id
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


@pytest.mark.parametrize(
    ("entity", "params", "wanted"),
    [
        ("Meeting", {"where": [{"type": "equals", "attribute": "parentName", "value": "acme ltd"}]}, ["Review"]),
        ("User", {"maxSize": 2}, ["Ada Lund", "Ben Okafor"]),
        ("CBeneficiary", {}, ["Eve Smith", "Flo Smith"]),
        ("CBeneficiary", {"where": [{"type": "greaterThan", "attribute": "share", "value": "50"}]}, ["Eve Smith"]),
        ("Contact", {"textFilter": "smi"}, ["Ann Smith"]),
        ("Contact", {"textFilter": "ann s"}, ["Ann Smith"]),
        ("Contact", {"textFilter": "smith ann"}, ["Ann Smith"]),
        ("Contact", {"textFilter": "mith"}, []),
        ("Contact", {"textFilter": "*mith"}, ["Ann Smith"]),
        ("Contact", {"textFilter": "bob@birch"}, ["Bob Jones"]),
        ("Contact", {"textFilter": "\\"}, []),
        ("Case", {"textFilter": "Lost"}, ["Lost letter"]),
    ],
)
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
        ({"orderBy": "nothing"}, "Order by non-existing field 'nothing'"),
        ({"orderBy": "teams"}, "Order by non-existing field 'teams'"),
        ({"orderBy": "account.name"}, "Complex expressions are forbidden"),
        ({"orderBy": 1}, "orderBy should be string"),
        ({"order": "up"}, "order value is bad"),
        ({"offset": -1}, "offset should be from 0"),
        ({"offset": "1"}, "offset should be int"),
        ({"maxSize": -1}, "maxSize should be from 0"),
        ({"maxSize": 1.5}, "maxSize should be int"),
        ({"where": "name"}, "where should be array"),
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
