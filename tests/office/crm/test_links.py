"""Links are listed from both sides, with the attributes of each pair."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.links import list_related
from teller_gym.office.store import Store
from tests.office.crm.world import office, rid


def names(store: Store, entity: str, key: str, link: str, user: str = "ben", **params: Any) -> list[str]:
    found = list_related(store, user, entity, rid(entity, key), link, {"orderBy": "name", **params})
    assert found["total"] >= len(found["list"])
    return [one["name"] for one in found["list"]]


@pytest.mark.parametrize(
    ("entity", "key", "link", "wanted"),
    [
        ("Account", "acme", "contacts", ["Ann Smith"]),
        ("Account", "acme", "contactsPrimary", ["Ann Smith"]),
        ("Account", "acme", "opportunities", ["Pension move"]),
        ("Account", "acme", "cases", ["Lost letter"]),
        ("Account", "acme", "meetings", ["Review"]),
        ("Account", "acme", "meetingsPrimary", ["Review"]),
        ("Account", "acme", "tasksPrimary", ["Call back"]),
        ("Account", "acme", "tasks", []),
        ("Contact", "ann", "tasks", ["Call back"]),
        ("Contact", "ann", "beneficiaries", ["Eve Smith", "Flo Smith"]),
        ("Contact", "ann", "meetings", ["Review"]),
        ("Contact", "ann", "cases", ["Lost letter"]),
        ("Contact", "ann", "accounts", ["Acme Ltd"]),
        ("Contact", "ann", "account", ["Acme Ltd"]),
        ("Contact", "ann", "teams", ["Advice"]),
        ("Contact", "cyd", "account", []),
        ("Task", "call", "parent", ["Ann Smith"]),
        ("Task", "done", "parent", []),
        ("Team", "advice", "users", []),
        ("User", "ben", "meetings", ["Review"]),
        ("User", "ben", "tasks", ["Call back", "Send form"]),
    ],
)
def test_links_are_listed_from_both_sides(entity: str, key: str, link: str, wanted: list[str]) -> None:
    assert names(office(), entity, key, link) == wanted


def test_a_listed_link_is_searched_like_a_list() -> None:
    store = office()
    more = {"where": [{"type": "greaterThan", "attribute": "share", "value": 50}]}
    assert list_related(store, "ben", "Contact", rid("Contact", "ann"), "beneficiaries", more)["list"][0]["share"] == 60
    assert names(store, "Contact", "ann", "beneficiaries", maxSize=1) == ["Eve Smith"]


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
