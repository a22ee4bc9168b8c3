"""Starting and stopping a server: ports, access log, access to the store, and errors."""

import errno
import json
import os
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.base.errors import InfrastructureError, OptionError, StorageError
from teller_gym.office.serving import FrictionOptions, Office, Refusing, Serving, load_office
from teller_gym.office.serving import access_log as access_log_module
from teller_gym.office.serving.access_log import AccessLog
from tests.office.serving import kv
from tests.office.serving.asking import request


def test_a_port_can_be_chosen_and_is_free_again() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for _ in range(2):
        with Serving(kv.Office(), ports={"worded": port}) as serving:
            assert serving.addresses["worded"] == f"http://127.0.0.1:{port}"
            assert request(serving.addresses["worded"], "GET", "/first").status == 200
            with pytest.raises(OptionError, match=f"port: kv cannot have {port}: Address already in use"):
                Serving(kv.Office(), ports={"kv": port}).__enter__()


def test_ports_that_are_none() -> None:
    with pytest.raises(OptionError, match="port: expected one of kv, worded, got 'words'; did you mean 'worded'"):
        Serving(kv.Office(), ports={"words": 1})
    with pytest.raises(OptionError, match="port: kv cannot have 70000"):
        Serving(kv.Office(), ports={"kv": 70000}).__enter__()


@pytest.mark.parametrize(
    ("host", "others"), [("127.0.0.2", None), ("0.0.0.0", "127.0.0.2"), ("localhost", None), ("::", "::1")]
)
def test_all_addresses_of_this_machine_are_served(host: str, others: str | None) -> None:
    if ":" in host and not _has_version_6():
        pytest.skip("this machine has no IPv6")
    with Serving(kv.Office(), host=host) as serving:
        address = serving.addresses["kv"]
        assert request(address, "GET", "/first").status == 200, "the address is one that clients can use"
        if others is not None:
            socket.create_connection((others, int(address.rpartition(":")[2])), 5).close()


def _has_version_6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as own:
            own.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "http://127.0.0.1"])
def test_an_address_that_is_none_of_this_machine(host: str) -> None:
    with pytest.raises(OptionError, match="host: expected an address of this machine, such as"):
        Serving(kv.Office(), host=host).__enter__()


def test_a_start_that_fails_leaves_nothing_open(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for _ in range(2):
            with pytest.raises(OptionError, match="Address already in use"):
                Serving(kv.Office(), ports={"kv": taken.getsockname()[1]}, state=tmp_path).__enter__()
    with Serving(kv.Office(), state=tmp_path):
        pass


def test_an_office_whose_records_cannot_be_written_down(tmp_path: Path) -> None:
    office = kv.Office({"kv.values": {"a": {"value": object()}}})
    with pytest.raises(OptionError, match="state: expected an office whose records are plain data"):
        Serving(office, state=tmp_path).__enter__()
    with Serving(office):
        pass


def test_the_access_log(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    for _ in range(2):
        with Serving(kv.Office(), log=file) as serving:
            address = serving.addresses["kv"]
            request(address, "GET", "/first?token=secret", X_Auth_Token="secret", Authorization="Basic secret")
            request(address, "HEAD", "/first")
            request(address, "PUT", "/a%20b", b"secret")
    text = file.read_text()
    assert "secret" not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[:3] == lines[3:]
    assert [list(line.values()) for line in lines[:3]] == [
        ["kv", "GET", "/first", 200, 3],
        ["kv", "HEAD", "/first", 200, 0],
        ["kv", "PUT", "/a%20b", 201, 0],
    ]
    assert file.stat().st_mode & 0o077 == 0


def test_a_log_on_a_full_disk_costs_lines_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    log = AccessLog(tmp_path / "log.jsonl")
    for number, write in enumerate((os.write, full, full, os.write)):
        with monkeypatch.context() as patch:
            patch.setattr(access_log_module, "os", SimpleNamespace(write=write))
            log.write("kv", "GET", f"/{number}", 200, 0)
    log.close()
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["path"] for line in lines] == ["/0", "/3"]
    assert "No space left" in caplog.text


def test_a_log_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        Serving(kv.Office(), log=tmp_path / "none" / "log").__enter__()


def test_friction_over_http() -> None:
    friction = FrictionOptions(temporary_errors=1.0, seed=3)
    with Serving(kv.Office(), friction=friction) as serving:
        address = serving.addresses["kv"]
        first = request(address, "PUT", "/a", b"1")
        assert first.status in (429, 503) and first.headers["retry-after"] == "1"
        assert request(address, "PUT", "/a", b"1").status == 201


def test_the_store_is_read_while_it_is_served() -> None:
    with Serving(kv.Office()) as serving:
        assert serving.look(lambda store: store.seed) == 1
        with pytest.raises(KeyError):
            serving.look(lambda store: {"a": 1}["x"])
        waiting = threading.Thread(target=serving.wait)
        waiting.start()
        assert waiting.is_alive()
    waiting.join(30)
    assert not waiting.is_alive()
    with pytest.raises(InfrastructureError, match="not running"):
        serving.look(lambda store: None)


def test_an_office_by_name() -> None:
    office: Office = load_office("tests.office.serving.kv:open_office")
    assert list(office.services) == ["kv", "worded"]
    assert [isinstance(service, Refusing) for service in office.services.values()] == [False, True]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kv", "expected module:function, such as my.module:open_office, got 'kv'"),
        ("a..b:c", "expected module:function"),
        ("tests.office.serving.none:f", "is its folder on PYTHONPATH?"),
        ("tests.office.serving.kv:none", "there is no none in tests.office.serving.kv"),
        ("tests.office.serving.kv:BASE", "expected a function, got tests.office.serving.kv:BASE, a dict"),
        ("builtins:dict", "to return an object with a store, services by name and credentials()"),
    ],
)
def test_what_is_no_office(name: str, told: str) -> None:
    with pytest.raises(OptionError) as raised:
        load_office(name)
    assert told in str(raised.value) and str(raised.value).startswith("office: ")
