"""Acknowledged changes survive a crash at any time, and changes are atomic."""

import random
import resource
import threading
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.base.errors import OptionError
from teller_gym.office.serving import Serving
from tests.office.serving.asking import request
from tests.office.serving.kv import BASE, Office
from tests.office.serving.process import running

WRITERS = 4
ROUNDS = 4


class Writer(threading.Thread):
    """Writes increasing numbers until the server is gone, and records the last ones sent and acknowledged."""

    def __init__(self, address: str, name: str, first: int) -> None:
        super().__init__()
        self.key = name
        self.sent = first
        self.acknowledged = {"value": 0, "pair": 0}
        place = urlsplit(address)
        self._client = HTTPConnection(place.hostname or "", place.port, timeout=30)

    def run(self) -> None:
        try:
            while True:
                self.sent += 1
                self._ask("PUT", f"/{self.key}", "value")
                self._ask("POST", f"/pair/{self.key}", "pair")
        except (OSError, HTTPException):
            self._client.close()

    def _ask(self, method: str, path: str, what: str) -> None:
        self._client.request(method, path, str(self.sent))
        reply = self._client.getresponse()
        reply.read()
        assert reply.status in (200, 201, 204)
        self.acknowledged[what] = self.sent


def number(address: str, key: str) -> int:
    reply = request(address, "GET", f"/{key}")
    return int(reply.body) if reply.status == 200 else 0


def check(address: str, writers: list[Writer]) -> None:
    """Check that acknowledged numbers are stored, and that pairs are complete."""
    for writer in writers:
        value, left, right = (number(address, f"{writer.key}{what}") for what in ("", ".left", ".right"))
        assert writer.acknowledged["value"] <= value <= writer.sent
        assert writer.acknowledged["pair"] <= left == right <= writer.sent


def test_kill_at_any_moment(tmp_path: Path) -> None:
    moments = random.Random(7)
    writers: list[Writer] = []
    for _ in range(ROUNDS):
        with running(tmp_path) as server:
            check(server.address, writers)
            known = {writer.key: writer.sent for writer in writers}
            writers = [Writer(server.address, key, known.get(key, 0)) for key in map(str, range(WRITERS))]
            for writer in writers:
                writer.start()
            time.sleep(moments.uniform(0.0, 0.4))
            server.kill()
            for writer in writers:
                writer.join(60)
                assert not writer.is_alive()
    with running(tmp_path) as server:
        check(server.address, writers)
        assert server.restored > 0


def test_the_next_server_goes_on(tmp_path: Path) -> None:
    with Serving(Office(), state=tmp_path) as serving:
        address = serving.addresses["kv"]
        request(address, "PUT", "/b", b"1")
        request(address, "DELETE", "/first")
        request(address, "PUT", "/a", b"2")
        request(address, "DELETE", "/b")
        request(address, "PUT", "/b", b"\xff")
        for _ in range(3):
            request(address, "GET", "/a")
        whole = serving.look(lambda store: (list(store.written()), list(store.rows("kv.values")), store.clock()))
        assert serving.restored == 0
    with Serving(Office(), state=tmp_path) as serving:
        assert serving.restored == 5, "an entry for each request that wrote, and none for others"
        assert (
            serving.look(lambda store: (list(store.written()), list(store.rows("kv.values")), store.clock())) == whole
        )
        assert request(serving.addresses["kv"], "GET", "/first").status == 404


def test_without_a_folder_nothing_outlives_the_server() -> None:
    office = Office()
    for _ in range(2):
        with Serving(office) as serving:
            assert request(serving.addresses["kv"], "PUT", "/a", b"1").status == 201
    assert office.store.diff() == []


def test_another_office_or_a_second_server_is_refused(tmp_path: Path) -> None:
    with Serving(Office(), state=tmp_path), pytest.raises(OptionError, match="another process is writing to it"):
        Serving(Office(), state=tmp_path).__enter__()
    with pytest.raises(OptionError, match="belongs to another office"):
        Serving(Office(seed=2), state=tmp_path).__enter__()
    with pytest.raises(OptionError, match="belongs to another office"):
        Serving(Office({**BASE, "more": {}, "kv.values": {}}), state=tmp_path).__enter__()
    with Serving(Office(), state=tmp_path) as serving:
        assert serving.restored == 0


def test_a_full_disk(tmp_path: Path) -> None:
    """A refused request stores nothing; reading still works, and writing works again once there is space."""
    with running(tmp_path, file_size=200_000) as server:
        address = server.address
        assert request(address, "PUT", "/small", b"1").status == 201
        refused = request(address, "PUT", "/large", b"x" * 500_000)
        assert refused.status == 507 and b"Nothing was stored: " in refused.body
        assert request(address, "POST", "/pair/large", b"x" * 500_000).status == 507
        assert request(address, "GET", "/large").status == 404 and request(address, "GET", "/large.left").status == 404
        assert request(address, "GET", "/small").body == b"1"
        assert request(address, "PUT", "/small", b"2").status == 204
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert request(address, "PUT", "/large", b"x" * 500_000).status == 201
        server.kill()
    with running(tmp_path) as server:
        assert server.restored == 3
        assert request(server.address, "GET", "/small").body == b"2"
        assert request(server.address, "GET", "/large").body == b"x" * 500_000


def test_a_record_that_cannot_be_stored(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Serving(Office(), state=tmp_path) as serving:
        address = serving.addresses["kv"]
        assert (
            request(address, "POST", "/odd/tuple").status == 500 and "kv: POST /odd/tuple was not stored" in caplog.text
        )
        assert serving.look(lambda store: store.diff()) == []
        assert request(address, "POST", "/odd/undone").status == 400
        assert request(address, "PUT", "/a", b"1").status == 201
    with Serving(Office(), state=tmp_path) as serving:
        assert serving.restored == 1
