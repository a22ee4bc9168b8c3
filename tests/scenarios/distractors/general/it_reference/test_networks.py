"""Tests of it_reference/networks: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_subnet_by_hand() -> None:
    assert call("calculate_ipv4_subnet", address="10.20.30.40", prefix=20, split_prefix=24) == {
        "network": "10.20.16.0/20",
        "netmask": "255.255.240.0",
        "first_host": "10.20.16.1",
        "last_host": "10.20.31.254",
        "broadcast": "10.20.31.255",
        "usable_hosts": 4094,
        "parts": 16,
    }
    assert call("calculate_ipv4_subnet", address="10.0.0.1", prefix=31)["usable_hosts"] == 2
    assert call("calculate_ipv4_subnet", address="10.0.0.1", prefix=32)["first_host"] == "10.0.0.1"
    asked: dict[str, Any] = {"address": "10.0.0.1", "prefix": 24}
    for wrong in ({"address": "10.0.0.256"}, {"address": "10.0.0.01"}, {"split_prefix": 23}):
        with pytest.raises(ToolError):
            call("calculate_ipv4_subnet", **asked | wrong)


@given(st.integers(0, 2**32 - 1), st.integers(0, 32))
@settings(deadline=None, max_examples=50)
def test_an_address_matches_its_own_network(number: int, prefix: int) -> None:
    address = ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
    network = call("calculate_ipv4_subnet", address=address, prefix=prefix)["network"]
    start = number >> (32 - prefix) << (32 - prefix)
    assert network == ".".join(str(start >> shift & 255) for shift in (24, 16, 8, 0)) + f"/{prefix}"
    found = call("match_ipv4_networks", address=address, networks=["0.0.0.0/0", network])
    assert found["most_specific"] == (network if prefix else "0.0.0.0/0")
    assert found["matches"] == ["0.0.0.0/0", network]


def test_networks_of_an_address() -> None:
    networks = ["10.0.0.0/8", "10.20.0.0/16", "192.168.0.0/24"]
    assert call("match_ipv4_networks", address="10.20.30.40", networks=networks) == {
        "matches": ["10.0.0.0/8", "10.20.0.0/16"],
        "most_specific": "10.20.0.0/16",
        "address_kind": "private",
    }
    outside = call("match_ipv4_networks", address="172.32.0.1", networks=networks)
    assert outside == {"matches": [], "most_specific": None, "address_kind": "other"}
    kinds = {"127.0.0.1": "loopback", "169.254.3.4": "link_local", "239.1.1.1": "multicast", "172.31.0.1": "private"}
    for address, kind in kinds.items():
        assert call("match_ipv4_networks", address=address, networks=networks)["address_kind"] == kind
    for wrong in ("10.20.0.1/16", "10.0.0.0/33", "10.0.0.300/32"):
        with pytest.raises(ToolError, match="networks"):
            call("match_ipv4_networks", address="10.0.0.1", networks=[wrong])
