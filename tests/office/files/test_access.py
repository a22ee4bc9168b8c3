"""Access to users' trees, and requests to addresses outside WebDAV."""

from base64 import b64encode

import pytest

from tests.office.files.office import BOB, DAV_ADA, WEBDAV, ask, basic, check_tree, error_of, found, office

METHODS = ("OPTIONS", "GET", "HEAD", "PUT", "DELETE", "MKCOL", "COPY", "MOVE", "PROPFIND", "PROPPATCH", "LOCK", "POST")


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Basic",
        "Basic !!!",
        "Basic " + b64encode(b"ada").decode(),
        "Basic " + b64encode(b"\xff\xfe:x").decode(),
        "Bearer token",
        basic("ada", "wrong"),
        basic("eve", "pw:ada"),
    ],
)
def test_without_the_right_password_nothing_is_shown_or_done(authorization: str | None) -> None:
    store = office()
    saved = store.snapshot()
    headers = {} if authorization is None else {"authorization": authorization}
    for method in METHODS:
        for address in (WEBDAV + "/readme.txt", DAV_ADA + "/nothing"):
            response = ask(store, method, address, b"x", None, **headers)
            assert response.status == 401
            assert response.header("WWW-Authenticate") == 'Basic realm="ownCloud", charset="UTF-8"'
            assert b"Hello" not in response.body
            if method != "HEAD":
                assert error_of(response) == (401, "NotAuthenticated")
    assert store.snapshot() == saved


def test_the_scheme_ignores_case_and_the_mail_address_is_a_name_too() -> None:
    store = office()
    for user in ("ada", "ada@bank.example"):
        header = basic(user, "pw:ada").replace("Basic", "bASIC")
        for address in (WEBDAV, DAV_ADA):
            assert ask(store, "GET", address + "/readme.txt", b"", None, authorization=header).body == b"Hello"


@pytest.mark.parametrize("owner", ["bob", "nobody", "ADA"])
@pytest.mark.parametrize("path", ["", "/", "/secret.txt", "/new", "/a/b"])
def test_nobody_sees_or_writes_in_another_users_tree(owner: str, path: str) -> None:
    store = office()
    saved = store.snapshot()
    address = f"/remote.php/dav/files/{owner}{path}"
    for method in METHODS:
        response = ask(store, method, address, b"x", destination=WEBDAV + "/new", depth="0")
        assert response.status == (403 if method in ("PUT", "MKCOL") else 404)
        assert b"for Bob" not in response.body
    for method in ("COPY", "MOVE"):
        response = ask(store, method, DAV_ADA + "/readme.txt", destination=address)
        assert error_of(response) == (403, "Forbidden")
    assert store.snapshot() == saved
    assert ask(store, "GET", "/remote.php/dav/files/bob/secret.txt", user="bob").body == BOB.files["/secret.txt"]


def test_someone_without_a_seeded_tree_has_an_empty_home() -> None:
    store = office()
    told = found(ask(store, "PROPFIND", WEBDAV, user="new"))
    assert list(told) == ["/remote.php/webdav/"]
    assert ask(store, "PUT", "/remote.php/dav/files/new/a.txt", b"1", "new").status == 201
    assert list(found(ask(store, "PROPFIND", WEBDAV, user="new"))) == [
        "/remote.php/webdav/",
        "/remote.php/webdav/a.txt",
    ]
    check_tree(store, "new")


@pytest.mark.parametrize("address", ["/", "/index.php", "/index.php/apps/files?dir=/Clients", "/login", "/apps/files/"])
def test_web_pages_answer_with_a_log_in_page_to_anybody(address: str) -> None:
    store = office()
    for user in (None, "ada"):
        response = ask(store, "GET", address.partition("?")[0], user=user)
        assert response.status == 200 and response.header("Content-Type") == "text/html; charset=UTF-8"
        assert b"<form" in response.body and b'type="password"' in response.body
    head = ask(store, "HEAD", address.partition("?")[0])
    assert head.status == 200 and head.body == b"" and head.header("Content-Length") == str(len(response.body))


@pytest.mark.parametrize(
    "address",
    [
        "/webdav/readme.txt",
        "/dav/files/ada",
        "/Clients",
        "/remote.php",
        "/remote.php/dav/files",
        "/remote.php/files/readme.txt",
    ],
)
def test_wrong_roots_are_not_there(address: str) -> None:
    response = ask(office(), "GET", address)
    assert response.status == 404 and response.header("Content-Type") == "text/html; charset=UTF-8"


@pytest.mark.parametrize("address", ["/", "/index.php/apps/files", "/webdav/readme.txt", "/remote.php/files/x", "*"])
@pytest.mark.parametrize("method", ["PROPFIND", "PUT", "MKCOL", "DELETE", "POST", "OPTIONS", "X"])
def test_other_methods_than_a_browsers_are_not_allowed_there(address: str, method: str) -> None:
    response = ask(office(), method, address, b"x")
    assert response.status == 405 and response.header("Allow") == "GET, HEAD"
