"""Rate limit and temporary errors depend only on options and requests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.base.errors import OptionError
from teller_gym.office.serving.friction import Friction, FrictionOptions
from teller_gym.office.web import Request

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
    # Whether an address fails does not depend on what else is asked.
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
