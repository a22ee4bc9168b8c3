"""What is too much is refused in the store's own words, wherever it is refused."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from teller_gym.office.web import MAX_BODY, Response
from tests.office.files.office import SERVICE, WEBDAV, basic, error_of
from tests.office.files.stock import served_office


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_the_server_does_not_take_gets_the_stores_error(chunked: bool) -> None:
    with served_office() as serving:
        connection = HTTPConnection(urlsplit(serving.addresses["files"]).netloc, timeout=30)
        connection.putrequest("PUT", WEBDAV + "/big.bin")
        connection.putheader("Authorization", basic("ada"))
        connection.putheader(*(("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(MAX_BODY + 1))))
        connection.endheaders()
        if chunked:
            connection.send(b"%x\r\n" % (MAX_BODY + 1) + bytes(MAX_BODY + 1) + b"\r\n0\r\n\r\n")
        got = connection.getresponse()
        response = Response(got.status, tuple(got.getheaders()), got.read())
        connection.close()
    assert error_of(response) == (413, "EntityTooLarge")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (413, "EntityTooLarge"),
        (507, "InsufficientStorage"),
        (503, "ServiceUnavailable"),
        (429, "Exception"),
        (500, "Exception"),
    ],
)
def test_refusals_of_a_server_in_front(status: int, code: str) -> None:
    assert error_of(SERVICE.refusal(status, "A <sentence> & more.")) == (status, code)
