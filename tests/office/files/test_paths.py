"""Paths are normalised and never leave the user's tree, however an address is written."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.paths import MAX_NAME, below, clean, moved, name, parent
from teller_gym.office.files.urls import href, locate
from tests.office.files.office import CASES, WEBDAV, ask, error_of, office

PIECES = st.lists(
    st.sampled_from(
        ["a", "B c", "é", "e\u0301", "..", ".", "", " ", "\\", "\x00", "x" * 256, "%2e", "€", "\ud800", "🙂"]
    ),
    max_size=6,
)


@given(st.one_of(PIECES.map("/".join), st.text(max_size=40)))
def test_a_clean_path_stays_in_the_tree_and_is_clean(text: str) -> None:
    try:
        path = clean(text)
    except FilesError as error:
        assert (error.status, error.code) == (400, "InvalidPath") and error.message
        return
    names = path.split("/")[1:] if path != "/" else []
    assert path.startswith("/") and "//" not in path and path == unicodedata.normalize("NFC", path)
    assert clean(path) == path and clean(path + "/") == path and clean("//" + path) == path
    assert all(one.strip() not in ("", ".", "..") and len(one.encode()) <= MAX_NAME for one in names)
    assert not any(ord(char) < 32 or char == "\\" or 0xD800 <= ord(char) < 0xE000 for char in path)
    assert path == "/" or clean(parent(path) + "/" + name(path)) == path


@pytest.mark.parametrize(
    "text",
    ["..", "/a/../b", "/a/./b", "a\\b", "a\x00b", "a\nb", "\x7f", "/ /b", "x" * 256, "é" * 128, "a/" * 33, "a" * 5000],
)
def test_what_no_file_can_have_is_refused(text: str) -> None:
    with pytest.raises(FilesError) as refused:
        clean(text)
    assert refused.value.status == 400


def test_below_and_moved() -> None:
    assert below("/a/b", "/a") and below("/a", "/") and not below("/ab", "/a") and not below("/a", "/a")
    assert not below("/", "/") and moved("/a/b/c", "/a", "/x") == "/x/b/c" and moved("/a", "/a", "/x/y") == "/x/y"


@given(PIECES)
def test_a_href_leads_back_to_its_path(names: list[str]) -> None:
    try:
        path = clean("/".join(names))
    except FilesError:
        return
    for folder in (True, False):
        address = href("/remote.php/dav/files/ada", path, folder)
        assert address.isascii() and " " not in address and address.endswith("/") == (folder or path == "/")
        target = locate(address)
        assert (target.kind, target.owner, target.path) == ("tree", "ada", path)


@pytest.mark.parametrize(("written", "path"), CASES["addresses"])
def test_addresses_are_decoded_once(written: str, path: str) -> None:
    for prefix in ("/remote.php/webdav", "//remote.php//webdav"):
        assert locate(prefix + written).path == path


@pytest.mark.parametrize(
    "written",
    [
        "/../bob/secret.txt",
        "/%2e%2e/bob/secret.txt",
        "/..%2fbob%2fsecret.txt",
        "/a%2Fb",
        "/a%5Cb",
        "/a%00b",
        "/%ff",
        "/%20",
        "/" + "x" * 256,
        "/a" * 33,
    ],
)
@pytest.mark.parametrize("root", [WEBDAV, "/remote.php/dav/files/ada"])
def test_addresses_that_try_to_leave_are_refused_whatever_the_method(written: str, root: str) -> None:
    store = office()
    saved = store.snapshot()
    for method in ("GET", "PUT", "PROPFIND", "DELETE", "MKCOL", "COPY"):
        response = ask(store, method, root + written, b"x", destination=WEBDAV + "/new")
        assert error_of(response) == (400, "InvalidPath")
    response = ask(store, "COPY", root + "/readme.txt", destination=root + written)
    assert error_of(response) == (400, "InvalidPath")
    assert store.snapshot() == saved


def test_names_are_the_same_in_both_forms_of_unicode() -> None:
    store = office()
    assert ask(store, "PUT", WEBDAV + "/Zoe%CC%88.txt", b"1").status == 201
    assert ask(store, "GET", WEBDAV + "/Zo%C3%AB.txt").body == b"1"
    assert ask(store, "PUT", WEBDAV + "/Zo%C3%AB.txt", b"2").status == 204
