"""Any request gets an answer, and a refused one changes nothing."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.web import Request
from tests.office.files.office import DAV_ADA, SERVICE, WEBDAV, basic, check_tree, office

METHODS = [
    *("GET", "HEAD", "PUT", "DELETE", "MKCOL", "COPY", "MOVE", "PROPFIND", "PROPPATCH", "OPTIONS", "LOCK", "UNLOCK"),
    "POST",
]
VALUES = ["T", "F", "0", "1", "infinity", "*", '"a"', "bytes=0-1", "-1", "<a:b>", "(<a:b>)", "Second-5", "\ud800"]
ODD = st.text(max_size=12) | st.sampled_from([*VALUES, "(Not <a:b>)", "9" * 5000, "Sun, 01 Feb"])
PARTS = st.lists(
    st.one_of(
        st.sampled_from(
            ["Clients", "Grace%20Hopper", "readme.txt", "new", "..", "%2e%2e", "%00", "%ff", "%", "\\", ""]
        ),
        st.text(max_size=5),
    ),
    max_size=4,
).map("/".join)
ADDRESSES = st.one_of(
    st.tuples(st.sampled_from([WEBDAV, DAV_ADA, "/remote.php/dav", "/index.php", ""]), PARTS).map("/".join),
    ODD,
)
BODIES = st.one_of(
    st.binary(max_size=20),
    st.sampled_from(
        [
            b"<propfind xmlns='DAV:'><prop><getetag/></prop></propfind>",
            b"<propertyupdate xmlns='DAV:'><set><prop><a/></prop></set></propertyupdate>",
            b"<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>",
            b"<!DOCTYPE a><a/>",
        ]
    ),
)
NAMES = [
    *("depth", "overwrite", "destination", "host", "range", "if", "if-match", "if-none-match", "if-range"),
    *("lock-token", "timeout", "content-range", "x-oc-mtime", "authorization", "content-type"),
]


@given(
    st.sampled_from(METHODS) | st.text(max_size=8),
    ADDRESSES,
    st.dictionaries(st.sampled_from(NAMES), ODD, max_size=3),
    ADDRESSES | st.none(),
    BODIES,
    st.booleans(),
)
def test_whatever_is_sent_gets_an_answer(
    method: str, address: str, headers: dict[str, str], destination: str | None, body: bytes, signed_in: bool
) -> None:
    store = office()
    saved = store.snapshot()
    if signed_in:
        headers = {**headers, "authorization": basic("ada")}
    if destination is not None:
        headers = {**headers, "destination": destination}
    response = SERVICE.handle(store, Request(method, address, "", headers, body))
    assert 200 <= response.status < 600 and response.status != 500
    assert all(name.isascii() and value.isascii() and value.isprintable() for name, value in response.headers)
    if (response.header("Content-Type") or "").startswith("application/xml") and response.body:
        ElementTree.fromstring(response.body)
    if response.status >= 400:
        assert store.snapshot() == saved
        assert response.body or method == "HEAD"
    if not signed_in or method in ("GET", "HEAD", "OPTIONS", "PROPFIND"):
        assert store.snapshot() == saved
    check_tree(store)
    check_tree(store, "bob")
