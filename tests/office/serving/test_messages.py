"""Targets, headers and answers between uvicorn and the services."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.web import Response

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving.messages import target, to_answer, to_request

NOW = datetime(2026, 3, 2, 9, 0, 1)


@pytest.mark.parametrize(
    ("raw", "path", "query"),
    [
        (b"/", "/", ""),
        (b"/a%20b//c/../d;x?e=%3F&f?", "/a%20b//c/../d;x", "e=%3F&f?"),
        (b"/a?", "/a", ""),
        (b"*", "*", ""),
        (b"http://127.0.0.1:80/a?b", "/a", "b"),
        (b"HTTP://x", "/", ""),
        (b"http://x?b=/c", "/", "b=/c"),
        (b"//x/a", "//x/a", ""),
    ],
)
def test_targets_stay_as_they_came(raw: bytes, path: str, query: str) -> None:
    before, _, after = raw.partition(b"?")
    assert target(before, after) == (path, query)


@pytest.mark.parametrize("raw", [b"a", b"x:80", b"ftp://x/a", b"?a", b"https//"])
def test_what_is_no_target(raw: bytes) -> None:
    before, _, after = raw.partition(b"?")
    with pytest.raises(ValueError, match="must be a path"):
        target(before, after)


def test_headers_are_joined_and_the_date_is_dropped() -> None:
    names = [("host", "x"), ("x-a", "1"), ("x-a", "2"), ("date", "Tue, 01 Jan 2030 00:00:00 GMT")]
    raw = [(name.encode(), value.encode()) for name, value in names]
    scope = {"method": "PUT", "headers": [*raw, (b"x-b", "é".encode()), (b"x-c", b"\xe9")]}
    assert to_request(scope, "/a", "b", b"body").headers == {"host": "x", "x-a": "1, 2", "x-b": "é", "x-c": "é"}


@given(st.sampled_from([200, 201, 204, 207, 301, 304, 404, 507]), st.sampled_from(["GET", "HEAD", "PUT"]), st.binary())
def test_the_length_fits_the_body(status: int, method: str, body: bytes) -> None:
    answer = to_answer(Response(status, (("Content-Length", "77"),), body), method, NOW)
    headers = dict(answer.head.headers)
    assert headers[b"date"] == b"Mon, 02 Mar 2026 09:00:01 GMT"
    if status in (204, 304):
        assert answer.body == b"" and b"content-length" not in headers
    elif method == "HEAD":
        assert answer.body == b"" and headers[b"content-length"] == (str(len(body)).encode() if body else b"77")
    else:
        assert answer.body == body and headers[b"content-length"] == str(len(body)).encode()


def test_a_services_own_date_stays_and_its_words_on_the_connection_do_not() -> None:
    response = Response(200, (("date", "then"), ("Connection", "close"), ("Transfer-Encoding", "x"), ("A", "é ")))
    answer = to_answer(response, "GET", NOW)
    assert list(answer.head.headers) == [(b"date", b"then"), (b"a", "é".encode()), (b"content-length", b"0")]


@pytest.mark.parametrize(
    "response",
    [
        Response(100),
        Response(600),
        Response(200, (("A", "b\nc"),)),
        Response(200, (("A b", "c"),)),
        Response(200, (("Ä", "c"),)),
        Response(200, (("A", "\x00"),)),
    ],
)
def test_what_cannot_be_sent(response: Response) -> None:
    with pytest.raises(ValueError):
        to_answer(response, "GET", NOW)
