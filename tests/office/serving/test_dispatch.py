"""Requests compared with a model on a disk that sometimes fails: the journal holds all acknowledged changes."""

from __future__ import annotations

import errno
import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving.changes import Operation, repeat
from teller_gym.office.serving.dispatch import Dispatcher
from teller_gym.office.serving.friction import Friction, FrictionOptions
from teller_gym.office.web import Request
from tests.office.serving.kv import BASE, KeyValue, Office, Worded

Step = tuple[str, str, bytes]
STEPS = st.tuples(
    st.sampled_from(["PUT", "PUT", "DELETE", "GET", "POST", "CRASH", "UNDONE"]),
    st.sampled_from(["first", "a", "b"]),
    st.binary(max_size=3),
)


class Faulty:
    """A journal in memory whose appending fails as preset."""

    def __init__(self, failures: Sequence[bool]) -> None:
        self.entries: list[list[Operation]] = []
        self._failures = itertools.chain(failures, itertools.repeat(False))

    def append(self, operations: Sequence[Operation]) -> None:
        if next(self._failures):
            raise OSError(errno.ENOSPC, "No space left on device")
        self.entries.append(list(operations))


def request(step: Step) -> Request:
    method, key, body = step
    path = {"POST": f"/pair/{key}", "CRASH": "/odd/crash", "UNDONE": "/odd/undone"}.get(method, f"/{key}")
    return Request(method, path, body=body)


def expected(model: dict[str, bytes], step: Step) -> int:
    """Apply a step to the model as the service does, and return the status."""
    method, key, body = step
    if method in ("CRASH", "UNDONE"):
        return 500 if method == "CRASH" else 400
    if method == "POST":
        model[f"{key}.left"] = model[f"{key}.right"] = body
        return 200
    there = key in model
    if method == "PUT":
        model[key] = body
        return 204 if there else 201
    if method == "DELETE" and there:
        del model[key]
        return 204
    return 200 if there else 404


@given(st.lists(STEPS, max_size=20), st.lists(st.booleans(), max_size=20))
def test_what_is_acknowledged_is_in_the_journal(steps: list[Step], failures: list[bool]) -> None:
    journal = Faulty(failures)
    store = Office().store
    dispatcher = Dispatcher(store, journal, Friction(FrictionOptions()))  # type: ignore[arg-type]
    model = {key: record["value"] for key, record in BASE["kv.values"].items()}
    for step in steps:
        before = dict(model)
        answer = dispatcher.answer(KeyValue(), request(step))
        status = expected(model, step)
        if answer.status_code == 507:
            assert model != before or step[0] in ("PUT", "POST"), "only changes can fail to be stored"
            model = before
        else:
            assert answer.status_code == status
            assert step[0] != "GET" or status == 404 or answer.body == model[step[1]]
        assert {key: record["value"] for key, record in store.rows("kv.values")} == model
    again = Office().store
    for entry in journal.entries:
        repeat(again, entry)
    assert list(again.written()) == list(store.written())


def test_what_does_not_write_needs_no_entry() -> None:
    dispatcher = Dispatcher(Office().store, Faulty([True] * 10), Friction(FrictionOptions()))  # type: ignore[arg-type]
    steps: list[Step] = [("GET", "first", b""), ("UNDONE", "", b""), ("CRASH", "", b""), ("DELETE", "none", b"")]
    found = [dispatcher.answer(KeyValue(), request(step)).status_code for step in steps]
    assert found == [200, 400, 500, 404]


def test_friction_acts_before_the_service_and_in_its_words() -> None:
    store = Office().store
    dispatcher = Dispatcher(store, None, Friction(FrictionOptions(rate_limit=1)))
    services = [KeyValue(), KeyValue(), Worded("worded"), Worded("worded")]
    found = [dispatcher.answer(service, Request("PUT", "/a", body=b"1")) for service in services]
    assert [answer.status_code for answer in found] == [201, 429, 204, 429]
    assert all((b"retry-after", b"1") in found[place].raw_headers for place in (1, 3))
    assert (b"x-worded", b"yes") in found[3].raw_headers
    assert store.clock().second == 2, "a refused request leaves no trace"
