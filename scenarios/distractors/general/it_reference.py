"""What administrators look up: IPv4 networks, cron schedules, versions, HTTP status codes."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from functools import cache
from importlib import resources
from ipaddress import IPv4Address, IPv4Network
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general.meeting_rooms import Clock
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Address = Annotated[str, Meta(pattern="^[0-9]{1,3}([.][0-9]{1,3}){3}$", max_length=15)]
Network = Annotated[str, Meta(pattern="^[0-9]{1,3}([.][0-9]{1,3}){3}/[0-9]{1,2}$", max_length=18)]
Prefix = Annotated[int, Meta(ge=0, le=32)]
_NUMBER = "(0|[1-9][0-9]{0,5})"
_LABELS = "[0-9A-Za-z-]{1,15}([.][0-9A-Za-z-]{1,15}){0,3}"
Version = Annotated[
    str, Meta(pattern=f"^{_NUMBER}[.]{_NUMBER}[.]{_NUMBER}(-{_LABELS})?([+]{_LABELS})?$", max_length=60)
]
AddressKind = Literal["private", "loopback", "link_local", "multicast", "other"]
Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

_KINDS: tuple[tuple[AddressKind, str], ...] = (
    ("private", "10.0.0.0/8"),
    ("private", "172.16.0.0/12"),
    ("private", "192.168.0.0/16"),
    ("loopback", "127.0.0.0/8"),
    ("link_local", "169.254.0.0/16"),
    ("multicast", "224.0.0.0/4"),
)
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_CRON_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_LONGEST_GAP_MONTHS = 12 * 41
"""29 February falls on a given weekday at least once in 40 years, also over the year 2100."""

_CLASSES = {1: "informational", 2: "success", 3: "redirection", 4: "client_error", 5: "server_error"}
_CACHEABLE = {200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501}
_PASSING = {408, 425, 429, 500, 502, 503, 504}
_NOT_PROCESSED = {408, 425, 429, 503}


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


class CronRuns(Result):
    """Next runs such as 2026-03-04 09:30, what the expression means, and runs on a day on which it runs at all."""

    next_runs: list[str]
    meaning: str
    runs_a_day: int


@tool(category=Category.GENERAL_DISTRACTOR)
def preview_cron_runs(
    bank: Bank,
    expression: Annotated[str, Meta(min_length=9, max_length=60)],
    after_date: date,
    after_time: Clock = "00:00",
    runs: Annotated[int, Meta(ge=1, le=12)] = 3,
) -> CronRuns:
    """Explain a cron expression of five fields and list its next runs after a moment.

    Args:
        expression: Minute, hour, day of month, month, weekday, such as 30 9 * * MON-FRI.
        after_date: Day of the moment.
        after_time: Time of the moment, such as 09:30; a run at that very minute is not listed.
        runs: How many runs to list.
    """
    fields = expression.split()
    if len(fields) != len(_CRON_FIELDS):
        raise invalid("expression", f"expected five fields parted by blanks, got {len(fields)}")
    minutes, hours, days, months, weekdays = (
        _cron_values(text, *field) for text, field in zip(fields, _CRON_FIELDS, strict=True)
    )
    # As cron has it: if both days are restricted, either is enough.
    either = not fields[2].startswith("*") and not fields[4].startswith("*")
    moments = [f"{hour:02d}:{minute:02d}" for hour in sorted(hours) for minute in sorted(minutes)]
    found: list[str] = []
    for day in _cron_days(after_date, runs + 1, days, months, {day % 7 for day in weekdays}, either=either):
        later = moments if day > after_date else [moment for moment in moments if moment > after_time]
        found += [f"{day} {moment}" for moment in later]
        if len(found) >= runs:
            break
    if not found:
        raise invalid("expression", f"expected an expression that ever runs after {after_date}, got {expression!r}")
    parts = [
        f"{name} {'any' if len(values) > high - low else ','.join(map(str, sorted(values)))}"
        for (name, low, high), values in zip(_CRON_FIELDS, (minutes, hours, days, months, weekdays), strict=True)
        if name not in ("minute", "hour")
    ]
    times = f"{len(moments)} times from {moments[0]} to {moments[-1]}" if len(moments) > 1 else f"at {moments[0]}"
    meaning = f"{times}; {'; '.join(parts)}{'; day or weekday is enough' if either else ''}"
    return CronRuns(next_runs=found[:runs], meaning=meaning, runs_a_day=len(moments))


def _cron_values(text: str, name: str, low: int, high: int) -> set[int]:
    """Read one field: stars, numbers, names, ranges, steps, and lists of them."""
    names = {month: i + 1 for i, month in enumerate(_MONTHS)} if name == "month" else {}
    if name == "weekday":
        names = {day: i for i, day in enumerate(_DAYS)}
    values: set[int] = set()
    for part in text.upper().split(","):
        span, slash, step = part.partition("/")
        first, dash, last = ("*", "", "") if span == "*" else span.partition("-")
        start = low if first == "*" else _cron_number(first, names)
        open_end = first == "*" or (slash and not dash)
        end = high if open_end else _cron_number(last, names) if dash else start
        width = _cron_number(step, {}) if slash else 1
        if not low <= start <= end <= high or width < 1:
            raise invalid("expression", f"expected {low} to {high}, a range, a list or a step as {name}, got {text!r}")
        values |= set(range(start, end + 1, width))
    return values


def _cron_number(text: str, names: dict[str, int]) -> int:
    """Read a number or a name; anything else gives -1, which no field allows."""
    return names.get(text, int(text) if text.isascii() and text.isdigit() else -1)


def _cron_days(
    start: date, count: int, days: set[int], months: set[int], weekdays: set[int], *, either: bool
) -> Iterator[date]:
    """Yield up to ``count`` days from ``start`` on that fit; ends when no more can come."""
    first, waited = start.year * 12 + start.month - 1, 0
    for number in range(first, 9999 * 12 + 12):
        year, month = number // 12, number % 12 + 1
        waited += 1
        if waited > _LONGEST_GAP_MONTHS or not count:
            return
        if month not in months:
            continue
        weekday, length = monthrange(year, month)
        for day in range(start.day if number == first else 1, length + 1) if either else sorted(days):
            on_weekday, on_day = (weekday + day) % 7 in weekdays, day in days
            fits = on_weekday or on_day if either else on_weekday and on_day
            if fits and day <= length and (number > first or day >= start.day) and count:
                waited, count = 0, count - 1
                yield date(year, month, day)


class VersionComparison(Result):
    """Which is newer by semantic versioning, in what they differ, and whether an update from a to b is allowed."""

    newer: Literal["a", "b", "neither"]
    difference: Literal["major", "minor", "patch", "prerelease", "build", "none"]
    update_allowed: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def compare_software_versions(
    bank: Bank, version_a: Version, version_b: Version, allowed_update: Literal["patch", "minor", "major"] = "major"
) -> VersionComparison:
    """Compare two semantic versions, and say whether an update from the first to the second is within what is allowed.

    Args:
        version_a: The version in use, such as 2.4.1 or 3.0.0-rc.1.
        version_b: The version to compare with.
        allowed_update: Largest step that is allowed; an older version is never an update.
    """
    a, b = _version_key("version_a", version_a), _version_key("version_b", version_b)
    steps: tuple[Literal["major", "minor", "patch"], ...] = ("major", "minor", "patch")
    step = next((name for name, x, y in zip(steps, a[0], b[0], strict=True) if x != y), None)
    newer: Literal["a", "b", "neither"] = "a" if a > b else "b" if b > a else "neither"
    same_build = version_a.strip().partition("+")[2] == version_b.strip().partition("+")[2]
    return VersionComparison(
        newer=newer,
        difference=step or ("prerelease" if a != b else "none" if same_build else "build"),
        update_allowed=newer == "b" and (step is None or steps.index(step) >= steps.index(allowed_update)),
    )


def _version_key(field: str, text: str) -> tuple[list[int], bool, list[tuple[bool, int, str]]]:
    """A key that sorts as semantic versioning does: a prerelease comes before the release, numbers before words."""
    release, _, prerelease = text.strip().partition("+")[0].partition("-")
    labels = prerelease.split(".") if prerelease else []
    if any(label.isdigit() and label != str(int(label)) for label in labels):
        raise invalid(field, f"expected prerelease numbers without leading zeros, got {text!r}")
    keys = [(not label.isdigit(), int(label) if label.isdigit() else 0, label) for label in labels]
    return [int(number) for number in release.split(".")], not labels, keys


class HttpStatus(Result):
    """What a status means for a request; ``redirect_method`` is null unless it redirects."""

    name: str
    status_class: str
    may_have_content: bool
    cacheable: bool
    repeat: Literal["pointless", "later", "only_if_harmless"]
    redirect_method: str | None


@cache
def _statuses() -> dict[int, str]:
    table = resources.files("teller_gym.scenarios.distractors.general").joinpath("it_reference.yaml").read_bytes()
    return msgspec.yaml.decode(table, type=dict[int, str])


@tool(category=Category.GENERAL_DISTRACTOR)
def explain_http_status(
    bank: Bank, status_code: Annotated[int, Meta(ge=100, le=599)], request_method: Method = "GET"
) -> HttpStatus:
    """Explain an HTTP status code for a request: name, class, content, caching, and whether to send it again.

    Args:
        status_code: The code, such as 404.
        request_method: Method of the request.
    """
    name = _statuses().get(status_code)
    if name is None:
        near = min(_statuses(), key=lambda code: (abs(code - status_code), code))
        raise invalid("status_code", f"expected a registered code, got {status_code}; the nearest one is {near}")
    repeatable = status_code in _NOT_PROCESSED or request_method not in ("POST", "PATCH")
    method: str | None = None
    if status_code in (301, 302, 303, 307, 308):
        to_get = status_code == 303 or (status_code in (301, 302) and request_method == "POST")
        method = "GET" if to_get and request_method != "HEAD" else request_method
    return HttpStatus(
        name=name,
        status_class=_CLASSES[status_code // 100],
        may_have_content=request_method != "HEAD" and status_code >= 200 and status_code not in (204, 205, 304),
        cacheable=status_code in _CACHEABLE and request_method in ("GET", "HEAD"),
        repeat="pointless" if status_code not in _PASSING else "later" if repeatable else "only_if_harmless",
        redirect_method=method,
    )
