"""Dispatching: the journal has all acknowledged changes, even if writing sometimes fails; friction refuses requests."""

import errno
import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.base.errors import OptionError
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
    """A journal in memory that raises an error on some appends."""

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


ADDRESSES = st.lists(
    st.tuples(st.sampled_from(["kv", "chat"]), st.sampled_from(["GET", "PUT"]), st.sampled_from("abcdefgh")),
    max_size=40,
)
Sent = list[tuple[str, str, str]]


def statuses(options: FrictionOptions, sent: Sent) -> list[int]:
    friction = Friction(options)
    found = [friction.refuse(service, Request(method, f"/{path}", "q=1")) for service, method, path in sent]
    return [0 if one is None else one.status for one in found]


@given(ADDRESSES, st.integers(0, 3), st.sampled_from([0.0, 0.3, 1.0]))
def test_an_address_fails_once_or_never(sent: Sent, seed: int, share: float) -> None:
    options = FrictionOptions(temporary_errors=share, seed=seed)
    found = statuses(options, sent)
    assert found == statuses(options, sent)
    for address in set(sent):
        own = [status for one, status in zip(sent, found, strict=True) if one == address]
        assert own[0] in {0.0: (0,), 0.3: (0, 429, 503), 1.0: (429, 503)}[share] and not any(own[1:])
    # The outcome for an address does not depend on other requests.
    for address, status in zip(sent, found, strict=True):
        assert status in (0, *statuses(options, [address]))


def test_about_the_share_of_addresses_fails_in_both_ways_and_other_seeds_choose_others() -> None:
    sent: Sent = [("kv", "GET", str(number)) for number in range(1000)]
    one, other = (statuses(FrictionOptions(temporary_errors=0.3, seed=seed), sent) for seed in (1, 2))
    assert 240 < sum(map(bool, one)) < 360 and {429, 503} < set(one) and one != other


@given(st.lists(st.sampled_from(["kv", "chat"]), max_size=40), st.integers(1, 5))
def test_each_request_after_the_limit_is_refused(services: list[str], limit: int) -> None:
    found = statuses(FrictionOptions(rate_limit=limit), [(service, "GET", "a") for service in services])
    for service in ("kv", "chat"):
        own = [status for one, status in zip(services, found, strict=True) if one == service]
        assert own == [0 if number % (limit + 1) else 429 for number in range(1, len(own) + 1)]


def test_options_out_of_range() -> None:
    with pytest.raises(OptionError, match="rate_limit: expected at least 1 request, got 0"):
        FrictionOptions(rate_limit=0)
    for share in (-0.1, 1.1, float("nan")):
        with pytest.raises(OptionError, match="temporary_errors: expected a share from 0 to 1"):
            FrictionOptions(temporary_errors=share)
