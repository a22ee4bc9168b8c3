"""Random sequences of requests agree with a model of records and links, and can be undone exactly."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.store import Store
from tests.office.crm.world import ask, office

NAMES = ["Elm", "Oak", "Ash", "Fir"]
SLOTS = st.integers(0, 3)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("create"), st.sampled_from(["Account", "Contact"]), st.sampled_from(NAMES)),
        st.tuples(st.just("rename"), st.sampled_from(["Account", "Contact"]), SLOTS, st.sampled_from([*NAMES, ""])),
        st.tuples(st.just("delete"), st.sampled_from(["Account", "Contact"]), SLOTS),
        st.tuples(st.just("move"), SLOTS, SLOTS),
        st.tuples(st.just("attach"), SLOTS, st.lists(SLOTS, max_size=3)),
    ),
    max_size=14,
)


START: list[tuple[Any, ...]] = [
    *(("create", "Account", name) for name in NAMES[:3]),
    *(("create", "Contact", name) for name in NAMES[:2]),
    ("move", 0, 0),
]


class Model:
    """The expected state: names, each contact's primary account, and pairs of account and contact."""

    def __init__(self) -> None:
        self.names: dict[str, dict[str, str]] = {"Account": {}, "Contact": {}}
        self.slots: dict[str, list[str]] = {"Account": [], "Contact": []}
        self.primary: dict[str, str | None] = {}
        self.pairs: set[tuple[str, str]] = set()  # (account, contact)

    def pick(self, entity: str, slot: int) -> str:
        """Return the id of a record, which may have been deleted."""
        made = self.slots[entity]
        return made[slot % len(made)] if made else "nothing"

    def there(self, entity: str, key: str) -> bool:
        return key in self.names[entity]


def do(store: Store, model: Model, act: tuple[Any, ...]) -> None:
    kind = act[0]
    if kind == "create":
        create(store, model, *act[1:])
    elif kind == "rename":
        _, entity, slot, name = act
        key, field = model.pick(entity, slot), "name" if entity == "Account" else "lastName"
        status = ask(store, "PUT", f"/{entity}/{key}", {field: name}).status
        assert status == (404 if not model.there(entity, key) else 200 if name else 400)
        if status == 200:
            model.names[entity][key] = name
    elif kind == "delete":
        key = model.pick(act[1], act[2])
        assert ask(store, "DELETE", f"/{act[1]}/{key}").status == (200 if model.names[act[1]].pop(key, None) else 404)
    elif kind == "move":
        move(store, model, model.pick("Contact", act[1]), model.pick("Account", act[2]))
    else:
        attach(store, model, model.pick("Contact", act[1]), [model.pick("Account", slot) for slot in act[2]])


def create(store: Store, model: Model, entity: str, name: str) -> None:
    twice = name in model.names[entity].values()
    made = ask(store, "POST", f"/{entity}", {"name" if entity == "Account" else "lastName": name})
    assert made.status == (409 if twice else 200)
    if made.status == 200:
        key = made.data()["id"]
        model.names[entity][key] = name
        model.slots[entity].append(key)
        if entity == "Contact":
            model.primary[key] = None


def move(store: Store, model: Model, contact: str, account: str) -> None:
    status = ask(store, "PUT", f"/Contact/{contact}", {"accountId": account}).status
    if not model.there("Contact", contact):
        assert status == 404
    elif not model.there("Account", account) and model.primary[contact] != account:
        assert status == 403
    else:
        assert status == 200
        if model.primary[contact] != account:
            model.primary[contact] = account
            model.pairs.add((account, contact))


def attach(store: Store, model: Model, contact: str, accounts: list[str]) -> None:
    accounts = list(dict.fromkeys(accounts))
    status = ask(store, "PUT", f"/Contact/{contact}", {"accountsIds": accounts}).status
    if not model.there("Contact", contact):
        assert status == 404
        return
    had = {account for account, one in model.pairs if one == contact}
    if not all(one in had or model.there("Account", one) for one in accounts):
        assert status == 403
        return
    assert status == 200
    model.pairs -= {(one, contact) for one in had}
    model.pairs |= {(one, contact) for one in accounts}
    if accounts and set(accounts) != had and model.primary[contact] is None:
        model.primary[contact] = accounts[0]


def agree(store: Store, model: Model) -> None:
    for entity, known in model.names.items():
        found = ask(store, "GET", f"/{entity}", params={"maxSize": 200}).data()["list"]
        mine = {one["id"]: one["name"] for one in found if one["id"] in model.slots[entity]}
        assert mine == known
    for account in model.names["Account"]:
        found = ask(store, "GET", f"/Account/{account}/contacts").data()["list"]
        wanted = {c for a, c in model.pairs if a == account and model.there("Contact", c)}
        assert {one["id"] for one in found} == wanted
    for contact in model.names["Contact"]:
        one = ask(store, "GET", f"/Contact/{contact}").data()
        assert one["accountId"] == model.primary[contact]
        wanted = {a for a, c in model.pairs if c == contact and model.there("Account", a)}
        assert set(one["accountsIds"]) == wanted == one["accountsNames"].keys() == one["accountsColumns"].keys()


@settings(deadline=None, max_examples=25)
@given(ACTS, ACTS)
def test_a_sequence_agrees_with_the_model(first: list[tuple[Any, ...]], second: list[tuple[Any, ...]]) -> None:
    first = [*START, *first]
    store, model = office(), Model()
    for act in first:
        do(store, model, act)
    agree(store, model)
    saved, there = store.snapshot(), store.state_hash()
    replayed, other = office(), Model()
    for act in first:
        do(replayed, other, act)
    assert replayed.state_hash() == there, "the same requests give the same bytes"
    for act in second:
        do(store, model, act)
    agree(store, model)
    store.restore(saved)
    assert store.state_hash() == there
    agree(store, other)
