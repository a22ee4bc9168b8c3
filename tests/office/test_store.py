"""The store keeps writes, does not change its base, and restores snapshots exactly."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.ids import hex_id, uuid_id, word_id
from teller_gym.office.people import with_key, with_password
from teller_gym.office.store import Store

BASE = {"files": {"a": {"size": 1}, "b": {"size": 2}}, "notes": {}}
NOW = datetime(2026, 3, 2, 9)

Act = tuple[str, str, str, int]
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["put", "update", "delete"]),
        st.sampled_from(["files", "notes"]),
        st.sampled_from("abcd"),
        st.integers(0, 3),
    ),
    max_size=20,
)


def store() -> Store:
    return Store(BASE, NOW, seed=1)


def do(target: Store, act: Act, model: dict[str, dict[str, Any]]) -> None:
    kind, table, key, size = act
    if kind == "put":
        target.put(table, key, {"size": size})
        model[table][key] = {"size": size}
    elif kind == "delete":
        target.delete(table, key)
        model[table].pop(key, None)
    elif key in model[table]:
        assert target.update(table, key, size=size) == {"size": size}
        model[table][key] = {"size": size}
    else:
        with pytest.raises(KeyError):
            target.update(table, key, size=size)


@given(ACTS, ACTS)
def test_it_is_a_table_of_records(first: list[Act], second: list[Act]) -> None:
    target = store()
    model: dict[str, dict[str, Any]] = {name: dict(rows) for name, rows in BASE.items()}
    for act in first:
        do(target, act, model)
    saved, there, known = target.snapshot(), target.state_hash(), {name: dict(rows) for name, rows in model.items()}
    for act in second:
        do(target, act, model)
    for name, rows in model.items():
        assert dict(target.rows(name)) == rows
        assert all(target.get(name, key) == rows.get(key) for key in "abcd")
    changed = {(one.table, one.key): one.after for one in target.diff()}
    places = {(name, key) for name in BASE for key in "abcd"}
    assert changed == {
        (name, key): model[name].get(key) for name, key in places if model[name].get(key) != BASE[name].get(key)
    }
    other = target.fork(saved)
    target.restore(saved)
    for one in (target, other):
        assert one.state_hash() == there and all(dict(one.rows(name)) == rows for name, rows in known.items())
    assert BASE == {"files": {"a": {"size": 1}, "b": {"size": 2}}, "notes": {}}


def test_time_passes_with_events_and_goes_back() -> None:
    target = store()
    assert target.clock() == NOW
    saved = target.snapshot()
    assert [target.tick().second for _ in range(3)] == [1, 2, 3] and target.clock().second == 3
    assert target.diff() == [] and target.count("ids") == 1 and target.count("ids") == 2
    target.restore(saved)
    assert target.clock() == NOW and target.count("ids") == 1


def test_ids_look_like_the_services_own() -> None:
    import re

    assert re.fullmatch("[0-9a-f]{17}", hex_id(1, "Contact", 1))
    assert re.fullmatch("[0-9A-Za-z]{17}", word_id(1, "message", 1))
    assert re.fullmatch("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", uuid_id(1, "item", 1))
    assert len({hex_id(seed, kind, n) for seed in range(3) for kind in "ab" for n in range(50)}) == 300


def test_nobody_signs_in_without_a_name_or_a_password() -> None:
    ada = {"username": "ada", "name": "Ada", "email": "", "title": "", "password": "", "admin": False}
    bob = {**ada, "username": "bob", "email": "bob@example.com", "password": "secret"}
    office = Store({"people": {"ada": ada, "bob": bob}}, NOW, seed=1)
    assert with_password(office, "", "") is None and with_password(office, "ada", "") is None
    assert with_password(office, "", "secret") is None and with_password(office, "bob", "wrong") is None
    assert with_password(office, "bob", "secret") == with_password(office, "bob@example.com", "secret") == bob


def test_an_expired_key_is_nobodys() -> None:
    keys = {"crm:old": {"username": "bob", "expired": True}, "crm:new": {"username": "bob", "expired": False}}
    office = Store({"people": {"bob": {"username": "bob"}}, "keys": keys}, NOW, seed=1)
    assert with_key(office, "crm", "new") == {"username": "bob"}
    assert with_key(office, "crm", "old") is None and with_key(office, "chat", "new") is None
