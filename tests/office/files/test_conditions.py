"""Preconditions and ranges, against what Python's own slices say of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.files.conditions import byte_range
from teller_gym.office.files.errors import FilesError
from teller_gym.office.web import Request
from tests.office.files.office import WEBDAV, ask, error_of, office

README = WEBDAV + "/readme.txt"
CLIENTS = WEBDAV + "/Clients"
NOTHING = WEBDAV + "/nothing"


def test_if_match() -> None:
    store = office()
    etag = ask(store, "HEAD", README).header("ETag") or ""
    for method, status in (("GET", 200), ("HEAD", 200), ("PROPFIND", 207), ("PUT", 204), ("DELETE", 204)):
        for value in (etag, "*", f'"x", {etag}', f'{etag},"y"'):
            assert ask(office(), method, README, if_match=value).status == status
        for value in ('"x"', "", "x", f"W/{etag}", etag.strip('"')):
            response = ask(store, method, README, if_match=value)
            assert response.status == 412
            if method != "HEAD":
                assert error_of(response) == (412, "PreconditionFailed")
    assert ask(store, "PUT", NOTHING, b"1", if_match="*").status == 412
    assert ask(store, "PUT", NOTHING, b"1", if_match=etag).status == 412
    assert ask(store, "PUT", README, b"2", if_match=etag).status == 204
    assert ask(store, "PUT", README, b"3", if_match=etag).status == 412
    assert ask(store, "GET", README).body == b"2"


def test_if_none_match() -> None:
    store = office()
    etag = ask(store, "HEAD", README).header("ETag") or ""
    for value in (etag, "*", f"W/{etag}", f'"x", {etag}'):
        for method in ("GET", "HEAD"):
            response = ask(store, method, README, if_none_match=value)
            assert response.status == 304 and response.body == b"" and response.header("ETag") == etag
        for method in ("PUT", "DELETE", "PROPFIND"):
            assert error_of(ask(store, method, README, if_none_match=value)) == (412, "PreconditionFailed")
    assert ask(store, "GET", README, if_none_match='"x"').status == 200
    assert ask(store, "GET", NOTHING, if_none_match="*").status == 404
    assert ask(store, "PUT", NOTHING, b"1", if_none_match="*").status == 201
    assert ask(store, "PUT", NOTHING, b"1", if_none_match="*").status == 412
    assert ask(store, "MKCOL", CLIENTS, if_none_match="*").status == 412


@given(st.binary(max_size=12), st.integers(0, 15) | st.none(), st.integers(0, 15) | st.none())
def test_a_range_is_a_slice(content: bytes, first: int | None, last: int | None) -> None:
    header = f"bytes={'' if first is None else first}-{'' if last is None else last}"
    request = Request("GET", "/", headers={"range": header})
    try:
        part = byte_range(request, {"content": content, "etag": "", "modified": 0})
    except FilesError as error:
        assert error.status == 416 and content
        assert last == 0 if first is None else first >= len(content) and (last is None or last >= first)
        return
    if not content or (first is None and last is None) or (first is not None and last is not None and last < first):
        assert part is None
    else:
        assert part is not None
        wanted = content[-(last or 0) :] if first is None else content[first : None if last is None else last + 1]
        assert content[part[0] : part[1]] == wanted and wanted


def test_ranges_of_a_file() -> None:
    store = office()
    response = ask(store, "GET", README, range="bytes=1-3")
    assert response.status == 206 and response.body == b"ell" and response.header("Content-Range") == "bytes 1-3/5"
    refused = ask(store, "GET", README, range="bytes=5-")
    assert error_of(refused) == (416, "RequestedRangeNotSatisfiable") and refused.header("Content-Range") == "bytes */5"
    for whole in ("bytes=0-1,3-4", "lines=1-2", "bytes=a-b", "bytes=3-1", "bytes=-", "x", "bytes=" + "9" * 5000 + "-"):
        assert ask(store, "GET", README, range=whole).status == 200
    assert ask(store, "HEAD", README, range="bytes=1-3").header("Content-Length") == "5"
    assert ask(store, "GET", CLIENTS, range="bytes=1-3").status == 200
    assert ask(store, "PUT", README, b"long enough", range="bytes=1-3").status == 204


def test_a_range_of_a_version_that_may_be_another_is_the_whole_file() -> None:
    assert ask(office(), "GET", README, range="bytes=0-1", if_range='"x"').status == 200
