"""The file store behind the office's own server: refusals in its own words, and locks that outlive the server."""

from __future__ import annotations

from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from teller_gym.office.files.dead import read
from teller_gym.office.files.locks import active
from teller_gym.office.web import MAX_BODY, Response
from tests.office.files.davxml import lockinfo, proppatch
from tests.office.files.office import SERVICE, WEBDAV, basic, error_of, office
from tests.office.files.stock import served_office
from tests.office.served import OneService


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_the_server_does_not_take_gets_the_stores_error(chunked: bool) -> None:
    with served_office() as serving:
        connection = HTTPConnection(urlsplit(serving.addresses["files"]).netloc, timeout=30)
        connection.putrequest("PUT", WEBDAV + "/big.bin")
        connection.putheader("Authorization", basic("ada"))
        connection.putheader(*(("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(MAX_BODY + 1))))
        connection.endheaders()
        body = bytes(MAX_BODY + 1)
        connection.send(b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n" if chunked else body)
        got = connection.getresponse()
        response = Response(got.status, tuple(got.getheaders()), got.read())
        connection.close()
    assert error_of(response) == (413, "EntityTooLarge")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (413, "EntityTooLarge"),
        (507, "InsufficientStorage"),
        (429, "Exception"),
        (500, "Exception"),
    ],
)
def test_refusals_of_a_server_in_front(status: int, code: str) -> None:
    assert error_of(SERVICE.refusal(status, "A <sentence> & more.")) == (status, code)


def test_locks_and_properties_are_in_the_journal(tmp_path: Path) -> None:
    pytest.importorskip("h11", reason="needs the extra office (pip install -e '.[office]')")
    from teller_gym.office.serving import Serving

    def ask(serving: Serving, method: str, body: bytes) -> int:
        connection = HTTPConnection(urlsplit(serving.addresses["files"]).netloc, timeout=30)
        connection.request(method, WEBDAV + "/readme.txt", body, {"Authorization": basic("ada")})
        status = connection.getresponse().status
        connection.close()
        return status

    with Serving(OneService(SERVICE, office()), state=tmp_path) as serving:
        assert [ask(serving, "PROPPATCH", proppatch("set <a>1</a>")), ask(serving, "LOCK", lockinfo())] == [207, 200]
        before = serving.look(
            lambda store: (store.state_hash(), active(store, "ada"), read(store, "ada", "/readme.txt"))
        )
    with Serving(OneService(SERVICE, office()), state=tmp_path) as serving:
        assert serving.restored == 2 and ask(serving, "PUT", b"x") == 423
        after = serving.look(
            lambda store: (store.state_hash(), active(store, "ada"), read(store, "ada", "/readme.txt"))
        )
    assert before == after and len(after[1]) == len(after[2]) == 1
