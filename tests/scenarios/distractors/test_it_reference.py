"""Networks, schedules, versions and status codes: expected values are worked out by hand or from the standards."""

from datetime import datetime, timedelta
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


def runs(expression: str, after: str = "2026-03-06 09:30", count: int = 3) -> list[str]:
    found = call("preview_cron_runs", expression=expression, after_date=after[:10], after_time=after[11:], runs=count)
    return list(found["next_runs"])


def test_cron_runs_by_hand() -> None:
    made = call("preview_cron_runs", expression="30 9 * * MON-FRI", after_date="2026-03-06", after_time="09:30")
    assert made == {
        "next_runs": ["2026-03-09 09:30", "2026-03-10 09:30", "2026-03-11 09:30"],
        "meaning": "at 09:30; day any; month any; weekday 1,2,3,4,5",
        "runs_a_day": 1,
    }
    assert runs("*/20 8-9 * * *") == ["2026-03-06 09:40", "2026-03-07 08:00", "2026-03-07 08:20"]
    assert runs("0 0 13 * 5") == ["2026-03-13 00:00", "2026-03-20 00:00", "2026-03-27 00:00"]  # either is enough
    assert runs("0 0 1 JAN,jul *") == ["2026-07-01 00:00", "2027-01-01 00:00", "2027-07-01 00:00"]
    assert runs("5/25 0 * * 7", count=2) == ["2026-03-08 00:05", "2026-03-08 00:30"]
    assert runs("0 0 29 2 *", "2096-03-01 00:00", 2) == ["2104-02-29 00:00", "2108-02-29 00:00"]
    assert runs("0 0 29 2 */7", "2026-03-01 00:00", 1) == ["2032-02-29 00:00"]  # starred, so both are needed
    assert runs("0 0 31 12 *", "9999-12-01 00:00") == ["9999-12-31 00:00"]
    ways = call("preview_cron_runs", expression="0 0,12 13 * 5", after_date="2026-03-06")
    assert ways["meaning"] == "2 times from 00:00 to 12:00; day 13; month any; weekday 5; day or weekday is enough"


@pytest.mark.parametrize("expression", ["0 0 30 2 *", "60 * * * *", "* * * * ", "5-1 * * * *", "*/0 * * * *"])
def test_cron_expressions_that_are_refused(expression: str) -> None:
    with pytest.raises(ToolError, match="expression"):
        runs(expression.ljust(9))


@pytest.mark.parametrize(
    "expression", ["a * * * *", "1- * * * *", "-1 * * * *", "1,,2 * * * *", "² * * * *", "* * 0 * *"]
)
def test_cron_fields_that_are_no_numbers_are_refused(expression: str) -> None:
    with pytest.raises(ToolError, match="expected"):
        runs(expression)


@given(
    st.integers(1, 59), st.integers(1, 23), st.integers(1, 27), st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1))
)
@settings(deadline=None, max_examples=40)
def test_cron_runs_are_those_found_by_trying_each_hour(minute: int, step: int, day: int, after: datetime) -> None:
    found = runs(f"{minute} */{step} {day}-28 * *", after.strftime("%Y-%m-%d %H:%M"), 2)
    moment = after.replace(second=0, microsecond=0, minute=minute)
    expected: list[str] = []
    moment += timedelta(hours=moment <= after.replace(second=0, microsecond=0))
    while len(expected) < 2:
        if moment.hour % step == 0 and day <= moment.day <= 28:
            expected.append(moment.strftime("%Y-%m-%d %H:%M"))
        moment += timedelta(hours=1)
    assert found == expected


SPECIFIED_ORDER = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"]
SPECIFIED_ORDER += ["1.0.0-rc.1", "1.0.0", "1.0.10", "1.2.0", "2.0.0"]


@pytest.mark.parametrize("i", range(len(SPECIFIED_ORDER)))
def test_versions_in_the_order_of_the_specification(i: int) -> None:
    for j, other in enumerate(SPECIFIED_ORDER):
        newer = call("compare_software_versions", version_a=SPECIFIED_ORDER[i], version_b=other)["newer"]
        assert newer == ("a" if i > j else "b" if j > i else "neither")


def test_versions_by_hand() -> None:
    def compare(a: str, b: str, allowed: str = "major") -> tuple[str, bool]:
        made = call("compare_software_versions", version_a=a, version_b=b, allowed_update=allowed)
        return made["difference"], made["update_allowed"]

    assert compare("2.4.1", "2.5.0", "minor") == ("minor", True)
    assert compare("2.4.1", "2.5.0", "patch") == ("minor", False)
    assert compare("2.4.1", "3.0.0", "minor") == ("major", False)
    assert compare("2.4.1", "2.4.0") == ("patch", False)
    assert compare("2.4.1-rc.1", "2.4.1", "patch") == ("prerelease", True)
    assert compare("2.4.1+a", "2.4.1+b") == ("build", False)
    assert compare("2.4.1", "2.4.1") == ("none", False)
    for wrong in ("2.4", "02.4.1", "2.4.1-01", "2.4.1-"):
        with pytest.raises(ToolError):
            compare("2.4.1", wrong)


def test_status_codes() -> None:
    assert call("explain_http_status", status_code=404) == {
        "name": "Not Found",
        "status_class": "client_error",
        "may_have_content": True,
        "cacheable": True,
        "repeat": "pointless",
        "redirect_method": None,
    }
    assert call("explain_http_status", status_code=404, request_method="HEAD")["may_have_content"] is False
    assert call("explain_http_status", status_code=204)["may_have_content"] is False
    assert call("explain_http_status", status_code=504)["repeat"] == "later"
    assert call("explain_http_status", status_code=504, request_method="POST")["repeat"] == "only_if_harmless"
    assert call("explain_http_status", status_code=429, request_method="POST")["repeat"] == "later"
    methods = {302: "GET", 303: "GET", 307: "POST", 308: "POST"}
    for code, method in methods.items():
        assert call("explain_http_status", status_code=code, request_method="POST")["redirect_method"] == method
    assert call("explain_http_status", status_code=303, request_method="HEAD")["redirect_method"] == "HEAD"
    with pytest.raises(ToolError, match="nearest one is 417"):
        call("explain_http_status", status_code=418)
