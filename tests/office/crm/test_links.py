"""Links from both sides: listing, relating and unrelating, with what is kept about each pair."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.links import list_related, relate, unrelate
from teller_gym.office.crm.records import create, get, update
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
        ("Contact", "ann", "documents", ["Deed of trust"]),
        ("Contact", "ann", "meetings", ["Review"]),
        ("Contact", "ann", "cases", ["Lost letter"]),
        ("Contact", "ann", "accounts", ["Acme Ltd"]),
        ("Contact", "ann", "account", ["Acme Ltd"]),
        ("Contact", "ann", "teams", ["Advice"]),
        ("Contact", "cyd", "account", []),
        ("Task", "call", "parent", ["Ann Smith"]),
        ("Task", "done", "parent", []),
        ("Team", "advice", "users", ["Ben Okafor", "Cleo Marsh"]),
        ("User", "ben", "meetings", ["Review"]),
        ("User", "ben", "tasks", ["Call back", "Send form"]),
    ],
)
def test_links_are_listed_from_both_sides(entity: str, key: str, link: str, wanted: list[str]) -> None:
    assert names(office(), entity, key, link) == wanted


def test_a_listed_link_is_searched_like_a_list() -> None:
    store = office()
    more = {"where": [{"type": "greaterThan", "attribute": "share", "value": 50}], "select": ["share"]}
    assert list_related(store, "ben", "Contact", rid("Contact", "ann"), "beneficiaries", more)["list"][0]["share"] == 60
    assert names(store, "Contact", "ann", "beneficiaries", maxSize=1) == ["Eve Smith"]


def test_what_is_kept_about_a_pair_is_shown() -> None:
    store = office()
    users = list_related(store, "ben", "Meeting", rid("Meeting", "review"), "users", {"orderBy": "name"})["list"]
    assert [(one["name"], one["acceptanceStatus"]) for one in users] == [
        ("Ben Okafor", "None"),
        ("Cleo Marsh", "Tentative"),
    ]
    contact = list_related(store, "ben", "Account", rid("Account", "acme"), "contacts")["list"][0]
    assert (contact["accountRole"], contact["accountIsInactive"]) == (None, False)
    account = list_related(store, "ben", "Contact", rid("Contact", "ann"), "accounts")["list"][0]
    assert (account["contactRole"], account["contactIsInactive"]) == (None, False)
    update(
        store,
        "ben",
        "Contact",
        rid("Contact", "ann"),
        {"accountsColumns": {rid("Account", "acme"): {"role": "Director"}}},
    )
    contact = list_related(store, "ben", "Account", rid("Account", "acme"), "contacts")["list"][0]
    assert contact["accountRole"] == "Director"


@pytest.mark.parametrize(
    ("entity", "key", "link", "other", "back"),
    [
        ("Account", "birch", "contacts", ("Contact", "ann"), "accounts"),
        ("Contact", "ann", "accounts", ("Account", "birch"), "contacts"),
        ("Account", "birch", "opportunities", ("Opportunity", "pension"), "account"),
        ("Contact", "bob", "beneficiaries", ("CBeneficiary", "eve"), "contact"),
        ("Account", "birch", "meetings", ("Meeting", "review"), "parent"),
        ("Contact", "bob", "meetings", ("Meeting", "review"), "contacts"),
        ("Meeting", "review", "contacts", ("Contact", "bob"), "meetings"),
        ("Document", "deed", "accounts", ("Account", "acme"), "documents"),
    ],
)
def test_relating_shows_on_both_sides_and_ends(
    entity: str, key: str, link: str, other: tuple[str, str], back: str
) -> None:
    store = office()
    here, there = rid(entity, key), rid(*other)

    def ids() -> set[str]:
        return {one["id"] for one in list_related(store, "ben", entity, here, link)["list"]}

    def backs() -> set[str]:
        return {one["id"] for one in list_related(store, "ben", other[0], there, back)["list"]}

    before, before_back = ids(), backs()
    assert relate(store, "ben", entity, here, link, [there]) is True
    assert ids() == before | {there} and here in backs()
    saved = store.snapshot()
    assert relate(store, "ben", entity, here, link, [there]) is True
    assert store.snapshot() == saved, "what is related already is not written again"
    if entity == "Contact" and link == "beneficiaries":
        with pytest.raises(CrmError, match="Can't unlink required field") as caught:
            unrelate(store, "ben", entity, here, link, [there])
        assert caught.value.status == 403
        return
    assert unrelate(store, "ben", entity, here, link, [there]) is True
    assert ids() == before and backs() == (set() if back in ("account", "parent") else before_back)


def test_several_are_related_at_once_or_none() -> None:
    store, birch = office(), rid("Account", "birch")
    some = [rid("Contact", "ann"), rid("Contact", "cyd")]
    with pytest.raises(CrmError) as caught:
        relate(store, "ben", "Account", birch, "contacts", [*some, "0123456789abcdef0"])
    assert caught.value.status == 404 and not list(store.written())
    assert relate(store, "ben", "Account", birch, "contacts", [*some, *some])
    assert names(store, "Account", "birch", "contacts") == ["Ann Smith", "Bob Jones", "Young"]
    assert get(store, "ben", "Contact", rid("Contact", "cyd"))["accountId"] == birch, (
        "the first account is the primary one"
    )
    assert get(store, "ben", "Contact", some[0])["accountId"] == rid("Account", "acme"), "and stays it"
    assert unrelate(store, "ben", "Account", birch, "contacts", some)
    assert names(store, "Account", "birch", "contacts") == ["Bob Jones"]
    assert get(store, "ben", "Contact", rid("Contact", "cyd"))["accountId"] is None
    assert relate(store, "ben", "Account", birch, "contacts", []) is False


def test_several_land_in_one_record() -> None:
    store, review = office(), rid("Meeting", "review")
    assert relate(store, "ben", "Meeting", review, "contacts", [rid("Contact", "bob"), rid("Contact", "cyd")])
    found = get(store, "ben", "Meeting", review)
    assert len(found["contactsIds"]) == len(found["contactsColumns"]) == 3
    assert unrelate(store, "ben", "Meeting", review, "contacts", found["contactsIds"])
    assert get(store, "ben", "Meeting", review)["contactsColumns"] == {}


@pytest.mark.parametrize(
    ("user", "entity", "key", "link", "ids", "status", "message"),
    [
        ("ben", "Contact", "ann", "account", ["x"], 403, "Only manyMany, hasMany & hasChildren"),
        ("ben", "Task", "call", "parent", ["x"], 403, "Only manyMany, hasMany & hasChildren"),
        ("ben", "Contact", "ann", "friends", ["x"], 404, "does not have link friends"),
        ("ben", "Contact", "nobody", "accounts", ["x"], 404, "not found"),
        ("ben", "Contact", "ann", "accounts", ["x"], 404, "not found"),
        ("ben", "Contact", "ann", "accounts", [1], 400, "Expected at most 200 ids"),
        ("ben", "Contact", "ann", "accounts", ["x"] * 201, 400, "Expected at most 200 ids"),
        ("ben", "Meeting", "review", "users", [rid("User", "ada")], 403, "No foreign record access"),
        ("ben", "Team", "advice", "users", [rid("User", "ada")], 403, "No edit access"),
        ("cleo", "Contact", "ann", "accounts", [rid("Account", "birch")], 403, "No record access"),
        ("dan", "Account", "acme", "contacts", [rid("Contact", "bob")], 403, "No edit access"),
        ("ben", "Kontakt", "ann", "accounts", ["x"], 404, "does not exist"),
    ],
)
def test_a_bad_link_is_refused(
    user: str, entity: str, key: str, link: str, ids: list[Any], status: int, message: str
) -> None:
    store = office()
    for act in (relate, unrelate):
        with pytest.raises(CrmError, match=message) as caught:
            act(store, user, entity, rid(entity, key), link, ids)
        assert caught.value.status == status and not list(store.written())


def test_a_bad_listing_is_refused() -> None:
    store, ann = office(), rid("Contact", "ann")
    for user, entity, key, link, status in (
        ("ben", "Contact", ann, "friends", 404),
        ("ben", "Contact", "nobody", "accounts", 404),
        ("ben", "Kontakt", ann, "accounts", 404),
        ("dan", "Account", rid("Account", "acme"), "contacts", 403),
        ("cleo", "Contact", ann, "opportunities", 403),
        ("cleo", "Contact", rid("Contact", "cyd"), "accounts", 403),
    ):
        with pytest.raises(CrmError) as caught:
            list_related(store, user, entity, key, link)
        assert caught.value.status == status


def test_administrators_relate_people() -> None:
    store, review = office(), rid("Meeting", "review")
    assert relate(store, "ada", "Meeting", review, "users", [rid("User", "ada")])
    assert rid("User", "ada") in get(store, "ben", "Meeting", review)["usersIds"]
    assert relate(store, "ada", "Team", rid("Team", "advice"), "users", [rid("User", "ada")])
    assert get(store, "ada", "User", rid("User", "ada"))["teamsIds"] == [rid("Team", "advice")]


def test_emails_answer_emails() -> None:
    store = office()
    values = {"name": "x", "from": "a@b.example", "to": "c@d.example"}
    first = create(store, "ben", "Email", values)
    create(store, "ben", "Email", {**values, "name": "Re: x", "repliedId": first["id"]})
    assert list_related(store, "ben", "Email", first["id"], "replies")["list"][0]["repliedName"] == "x"
