"""All WebDAV methods, with each of their statuses."""

import pytest

from teller_gym.office.files.reading import contents
from teller_gym.office.files.seeding import Home
from teller_gym.office.files.writing import MAX_ENTRIES, MAX_FILE, make_folder
from tests.office.files.office import CASES, DAV_ADA, DEED, HOME, WEBDAV, ask, check_tree, error_of, found, office

README = WEBDAV + "/readme.txt"
CLIENTS = WEBDAV + "/Clients"


def test_options_says_what_is_true() -> None:
    store = office()
    for address, allow in (
        (README, "OPTIONS, GET, HEAD, PUT, DELETE, PROPFIND, PROPPATCH, COPY, MOVE, LOCK, UNLOCK"),
        (CLIENTS, "OPTIONS, GET, HEAD, DELETE, PROPFIND, PROPPATCH, COPY, MOVE, LOCK, UNLOCK"),
        (WEBDAV + "/nothing", "OPTIONS, PUT, MKCOL, LOCK"),
    ):
        response = ask(store, "OPTIONS", address)
        assert response.status == 200 and response.header("Allow") == allow and response.header("DAV") == "1, 2, 3"
    for method in ("POST", "PATCH", "REPORT", "SEARCH", "get", ""):
        assert error_of(ask(store, method, README)) == (501, "NotImplemented")


def test_get_and_head() -> None:
    store = office()
    response = ask(store, "GET", DAV_ADA + "/Clients/Zo%C3%AB%20&%20S%C3%B6hne/notes%20(old).md")
    assert response.status == 200 and response.body == "Grüße".encode()
    assert response.header("Content-Type") == "text/markdown"
    assert response.header("Content-Disposition") == (
        "attachment; filename*=UTF-8''notes%20%28old%29.md; filename=\"notes%20%28old%29.md\""
    )
    response = ask(store, "GET", README)
    assert response.header("Last-Modified") == "Sun, 01 Feb 2026 08:30:00 GMT"
    assert len(response.header("ETag") or "") == 34
    head = ask(store, "HEAD", README)
    assert head.body == b"" and head.headers == (*response.headers, ("Content-Length", "5"))
    assert error_of(ask(store, "GET", WEBDAV + "/nothing")) == (404, "NotFound")
    assert error_of(ask(store, "GET", README + "/below")) == (404, "NotFound")
    missing = ask(store, "HEAD", WEBDAV + "/nothing")
    assert missing.status == 404 and missing.body == b"" and int(missing.header("Content-Length") or "") > 0


def test_a_folder_answers_get_with_a_sentence_that_is_no_file() -> None:
    store = office()
    for address in (CLIENTS, CLIENTS + "/", WEBDAV, DAV_ADA + "/"):
        response = ask(store, "GET", address)
        assert response.status == 200 and b"PROPFIND" in response.body
        assert response.header("Content-Type") == "text/html; charset=UTF-8" and response.header("ETag") is None
        assert ask(store, "HEAD", address).status == 200


def test_put() -> None:
    store = office()
    created = ask(store, "PUT", WEBDAV + "/Empty/net%20worth.csv", b"a,b\n")
    assert created.status == 201 and created.body == b""
    replaced = ask(store, "PUT", WEBDAV + "/Empty/net%20worth.csv", b"b,a\n")
    assert replaced.status == 204
    assert created.header("ETag") != replaced.header("ETag")
    read = ask(store, "GET", WEBDAV + "/Empty/net%20worth.csv")
    assert read.body == b"b,a\n" and read.header("ETag") == replaced.header("ETag")
    for address in (CLIENTS, WEBDAV, WEBDAV + "/Finance/x.csv", README + "/x.csv"):
        assert error_of(ask(store, "PUT", address, b"x")) == (409, "Conflict")
    assert error_of(ask(store, "PUT", README, b"x", content_range="bytes 0-0/1")) == (400, "BadRequest")
    assert error_of(ask(store, "PUT", README, bytes(MAX_FILE + 1))) == (413, "EntityTooLarge")
    check_tree(store)
    assert contents(store, "ada") == {**HOME.files, "/Empty/net worth.csv": b"b,a\n"}


def test_put_takes_the_time_that_ownclouds_clients_send() -> None:
    store = office()
    response = ask(store, "PUT", README, b"x", x_oc_mtime="1767225600.5")
    assert response.status == 204 and response.header("X-OC-MTime") == "accepted"
    assert ask(store, "HEAD", README).header("Last-Modified") == "Thu, 01 Jan 2026 00:00:00 GMT"
    assert ask(store, "PUT", README, b"x", x_oc_mtime="999999999999").status == 204
    assert ask(store, "HEAD", README).header("Last-Modified") == "Fri, 31 Dec 9999 23:59:59 GMT"
    for wrong in ("", "today", "1" * 30):
        assert error_of(ask(store, "PUT", README, b"x", x_oc_mtime=wrong)) == (400, "BadRequest")


def test_the_quota_holds_for_put_and_copy_but_not_for_what_it_already_has() -> None:
    used = sum(map(len, HOME.files.values()))
    store = office()
    assert ask(store, "PUT", WEBDAV + "/big", bytes(HOME.quota - used + 1)).status == 507
    assert ask(store, "PUT", WEBDAV + "/big", bytes(HOME.quota - used)).status == 201
    assert error_of(ask(store, "PUT", WEBDAV + "/more", b"1")) == (507, "InsufficientStorage")
    assert error_of(ask(store, "COPY", WEBDAV + "/big", destination=WEBDAV + "/big2"))[0] == 507
    assert error_of(ask(store, "COPY", CLIENTS, destination=WEBDAV + "/C"))[0] == 507
    assert ask(store, "COPY", CLIENTS, destination=WEBDAV + "/C", depth="0").status == 201
    assert ask(store, "PUT", WEBDAV + "/big", bytes(10)).status == 204
    assert ask(store, "PUT", WEBDAV + "/big2", bytes(HOME.quota - used - 20)).status == 201
    # Replacing a file frees its space before the copy.
    assert ask(store, "COPY", WEBDAV + "/big", destination=WEBDAV + "/big2").status == 204
    assert ask(store, "MOVE", WEBDAV + "/big", destination=WEBDAV + "/big4").status == 201
    check_tree(store)


def test_the_number_of_entries_is_bounded() -> None:
    store = office(home=Home("ada", {f"/many/{number}": b"" for number in range(MAX_ENTRIES - 2)}, quota=10))
    make_folder(store, "ada", "/last")
    for method, address in (("MKCOL", WEBDAV + "/x"), ("PUT", WEBDAV + "/x"), ("COPY", WEBDAV + "/many/1")):
        assert error_of(ask(store, method, address, destination=WEBDAV + "/y")) == (507, "InsufficientStorage")
    assert ask(store, "COPY", WEBDAV + "/many/1", destination=WEBDAV + "/last").status == 204
    assert error_of(ask(store, "COPY", WEBDAV + "/many", destination=WEBDAV + "/last")) == (507, "InsufficientStorage")
    check_tree(store)


def test_mkcol() -> None:
    store = office()
    response = ask(store, "MKCOL", WEBDAV + "/Finance/")
    assert response.status == 201
    assert ask(store, "MKCOL", WEBDAV + "/Finance/2026").status == 201
    for address in (WEBDAV + "/Finance", README, WEBDAV, DAV_ADA + "/"):
        refused = ask(store, "MKCOL", address)
        assert error_of(refused) == (405, "MethodNotAllowed") and "MKCOL" not in (refused.header("Allow") or "MKCOL")
    for address in (WEBDAV + "/a/b", README + "/x"):
        assert error_of(ask(store, "MKCOL", address)) == (409, "Conflict")
    assert error_of(ask(store, "MKCOL", WEBDAV + "/x", b"<a/>")) == (415, "UnsupportedMediaType")
    check_tree(store)


def test_delete() -> None:
    store = office()
    assert ask(store, "DELETE", CLIENTS + "/Grace%20Hopper/").status == 204
    assert ask(store, "GET", CLIENTS + "/Grace%20Hopper/deed.txt").status == 404
    assert error_of(ask(store, "DELETE", CLIENTS + "/Grace%20Hopper")) == (404, "NotFound")
    assert error_of(ask(store, "DELETE", WEBDAV)) == (403, "Forbidden")
    assert ask(store, "DELETE", README).status == 204
    check_tree(store)


@pytest.mark.parametrize("method", ["COPY", "MOVE"])
def test_copy_and_move(method: str) -> None:
    def send(source: str, destination: str, **headers: str) -> int:
        response = ask(store, method, source, b"", destination=destination, **headers)
        check_tree(store)
        if response.status >= 400:
            assert error_of(response)[0] == response.status
        return response.status

    store = office()
    there = WEBDAV + "/Empty/deed.txt"
    deed = CLIENTS + "/Grace%20Hopper/deed.txt"
    assert send(deed, there) == 201
    assert ask(store, "GET", there).body == DEED
    assert (ask(store, "GET", deed).status == 200) == (method == "COPY")
    assert send(there, README, overwrite="T") == 204 and ask(store, "GET", README).body == DEED
    assert send(CLIENTS, WEBDAV + "/Empty/C", overwrite="f") == 201
    assert ask(store, "GET", WEBDAV + "/Empty/C/Grace%20Hopper/assets.csv").status == 200
    assert send(README, WEBDAV + "/Empty") == 204 and ask(store, "GET", WEBDAV + "/Empty").body == DEED

    store = office()
    saved = store.snapshot()
    assert send(README, CLIENTS, overwrite="F") == 412
    assert send(README, CLIENTS + "/Grace%20Hopper/deed.txt/x") == 415
    assert send(README, WEBDAV + "/x", overwrite="yes") == 400
    assert send(README, WEBDAV + "/x", depth="1") == 400
    assert send(README, WEBDAV + "/" + "a/" * 33) == 400
    assert send(CLIENTS, WEBDAV + "/x", depth="0") == (201 if method == "COPY" else 400)
    if method == "MOVE":
        assert store.snapshot() == saved
    else:
        assert list(found(ask(store, "PROPFIND", WEBDAV + "/x", depth="1"))) == [WEBDAV + "/x/"]


@pytest.mark.parametrize("method", ["COPY", "MOVE"])
@pytest.mark.parametrize(("destination", "status"), CASES["destinations"])
def test_destinations(method: str, destination: str, status: int) -> None:
    store = office()
    saved = store.snapshot()
    response = ask(store, method, README, destination=destination, host="office")
    assert response.status == status
    if status == 201:
        assert ask(store, "GET", WEBDAV + "/new").body == b"Hello"
    else:
        assert error_of(response)[0] == status and store.snapshot() == saved
    assert error_of(ask(office(), method, README)) == (400, "BadRequest")
