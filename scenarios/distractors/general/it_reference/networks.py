"""IPv4 networks."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Address = Annotated[str, Meta(pattern="^[0-9]{1,3}([.][0-9]{1,3}){3}$", max_length=15)]
Network = Annotated[str, Meta(pattern="^[0-9]{1,3}([.][0-9]{1,3}){3}/[0-9]{1,2}$", max_length=18)]
Prefix = Annotated[int, Meta(ge=0, le=32)]
AddressKind = Literal["private", "loopback", "link_local", "multicast", "other"]

_KINDS: tuple[tuple[AddressKind, str], ...] = (
    ("private", "10.0.0.0/8"),
    ("private", "172.16.0.0/12"),
    ("private", "192.168.0.0/16"),
    ("loopback", "127.0.0.0/8"),
    ("link_local", "169.254.0.0/16"),
    ("multicast", "224.0.0.0/4"),
)


def _address(field: str, text: str) -> IPv4Address:
    try:
        return IPv4Address(text)
    except ValueError:
        raise invalid(field, f"expected four numbers of 0 to 255 without leading zeros, got {text!r}") from None


class Subnet(Result):
    """The network around an address; ``parts`` is how many smaller networks it splits into."""

    network: str
    netmask: str
    first_host: str
    last_host: str
    broadcast: str
    usable_hosts: int
    parts: int


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_ipv4_subnet(bank: Bank, address: Address, prefix: Prefix, split_prefix: Prefix | None = None) -> Subnet:
    """Work out the IPv4 network of an address: mask, hosts, broadcast address, and how often it can be split.

    Args:
        address: Any address in the network, such as 10.20.30.40.
        prefix: Length of the network prefix; 24 for a mask of 255.255.255.0.
        split_prefix: Longer prefix of the networks into which to split.
    """
    split = prefix if split_prefix is None else split_prefix
    if split < prefix:
        raise invalid("split_prefix", f"expected prefix, {prefix}, or more, got {split}")
    network = IPv4Network((int(_address("address", address)), prefix), strict=False)
    # Networks of one or two addresses have neither network nor broadcast address to spare (RFC 3021).
    spare = 1 if prefix <= 30 else 0
    return Subnet(
        network=str(network),
        netmask=str(network.netmask),
        first_host=str(network.network_address + spare),
        last_host=str(network.broadcast_address - spare),
        broadcast=str(network.broadcast_address),
        usable_hosts=network.num_addresses - 2 * spare,
        parts=2 ** (split - prefix),
    )


class NetworkMatch(Result):
    """Networks that hold the address, in the order given; the most specific one is null if there is none."""

    matches: list[str]
    most_specific: str | None
    address_kind: AddressKind


@tool(category=Category.GENERAL_DISTRACTOR)
def match_ipv4_networks(
    bank: Bank, address: Address, networks: Annotated[list[Network], Meta(min_length=1, max_length=30)]
) -> NetworkMatch:
    """Find which IPv4 networks hold an address, which of them is the most specific, and what kind of address it is.

    Args:
        address: The address, such as 10.20.30.40.
        networks: Networks such as 10.20.0.0/16, with no bit set behind the prefix.
    """
    wanted = _address("address", address)
    known = []
    for text in networks:
        try:
            known.append(IPv4Network(text))
        except ValueError:
            raise invalid("networks", f"expected networks such as 10.20.0.0/16, got {text!r}; check its bits") from None
    matches = [network for network in known if wanted in network]
    kind: AddressKind = next((kind for kind, network in _KINDS if wanted in IPv4Network(network)), "other")
    best = max(matches, key=lambda network: network.prefixlen, default=None)
    return NetworkMatch(
        matches=[str(network) for network in matches],
        most_specific=None if best is None else str(best),
        address_kind=kind,
    )
