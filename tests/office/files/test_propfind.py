"""PROPFIND: properties reported for files and folders."""

from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.files.seeding import Home
from teller_gym.office.files.xml_reading import MAX_XML
from tests.office.files.office import DAV_ADA, HOME, WEBDAV, ask, error_of, found, office

OC = "{http://owncloud.org/ns}"
README = WEBDAV + "/readme.txt"


def propfind(inner: str) -> bytes:
    return f'<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">{inner}</d:propfind>'.encode()


def texts(properties: dict[str, ElementTree.Element]) -> dict[str, str | None]:
    return {tag: element.text for tag, element in properties.items()}


@pytest.mark.parametrize("body", [b"", b"  \n", propfind("<d:allprop/>")])
def test_all_properties_are_those_of_rfc_4918(body: bytes) -> None:
    store = office()
    told = found(ask(store, "PROPFIND", README, body, depth="0"))
    etag = ask(store, "HEAD", README).header("ETag")
    assert list(told) == [README] and list(told[README]) == [200]
    assert texts(told[README][200]) == {
        "{DAV:}creationdate": "2026-02-01T08:30:00Z",
        "{DAV:}getlastmodified": "Sun, 01 Feb 2026 08:30:00 GMT",
        "{DAV:}getcontentlength": "5",
        "{DAV:}resourcetype": None,
        "{DAV:}getetag": etag,
        "{DAV:}getcontenttype": "text/plain",
        "{DAV:}lockdiscovery": None,
        "{DAV:}supportedlock": None,
    }
    entries = told[README][200]["{DAV:}supportedlock"].findall("{DAV:}lockentry")
    assert [[part[0].tag for part in entry] for entry in entries] == [
        ["{DAV:}exclusive", "{DAV:}write"],
        ["{DAV:}shared", "{DAV:}write"],
    ]
    told = found(ask(store, "PROPFIND", WEBDAV, body, depth="0"))
    home = told[WEBDAV + "/"][200]
    assert [child.tag for child in home["{DAV:}resourcetype"]] == ["{DAV:}collection"]
    assert home["{DAV:}quota-used-bytes"].text == str(sum(map(len, HOME.files.values())))
    assert int(home["{DAV:}quota-available-bytes"].text or "") + int(home["{DAV:}quota-used-bytes"].text or "") == 10**6
    assert "{DAV:}getcontentlength" not in home and "{DAV:}getcontenttype" not in home


def test_what_is_to_be_included_with_all_is() -> None:
    body = propfind("<d:allprop/><d:include><oc:size/><d:getetag/><oc:x/></d:include>")
    told = found(ask(office(), "PROPFIND", README, body))[README]
    assert told[200][OC + "size"].text == "5" and len(told[200]) == 9 and list(told[404]) == [OC + "x"]


def test_names_alone() -> None:
    told = found(ask(office(), "PROPFIND", WEBDAV, propfind("<d:propname/>"), depth="1"))
    assert all(list(parts) == [200] for parts in told.values())
    assert OC + "permissions" in told[README][200] and "{DAV:}getcontentlength" in told[README][200]
    assert "{DAV:}quota-used-bytes" not in told[README][200]
    assert not any(element.text or len(element) for parts in told.values() for element in parts[200].values())


def test_properties_asked_for_by_name() -> None:
    body = propfind("<d:prop><oc:fileid/><oc:permissions/><oc:size/><d:displayname/><x xmlns=''/></d:prop>")
    told = found(ask(office(), "PROPFIND", WEBDAV, body, depth="1"))
    assert list(told) == [WEBDAV + "/", WEBDAV + "/Clients/", WEBDAV + "/Empty/", README]
    for address, parts in told.items():
        values = texts(parts[200])
        assert int(values[OC + "fileid"] or "") > 0
        assert values[OC + "permissions"] == ("DNVW" if address == README else "DNVCK")
        assert list(parts[404]) == ["{DAV:}displayname", "x"]
    assert texts(told[README][200])[OC + "size"] == "5"
    assert texts(told[WEBDAV + "/Clients/"][200])[OC + "size"] == str(sum(map(len, HOME.files.values())) - 5)
    only_missing = found(ask(office(), "PROPFIND", README, propfind("<d:prop><d:displayname/></d:prop>")))
    assert list(only_missing[README]) == [404]
    none = found(ask(office(), "PROPFIND", README, propfind("<d:prop/>")))
    assert none == {README: {200: {}}}


def test_addresses_are_those_of_the_root_asked_and_escaped() -> None:
    for root in (WEBDAV, DAV_ADA):
        told = found(ask(office(), "PROPFIND", root + "/Clients/", depth="1"))
        assert list(told) == [
            root + "/Clients/",
            root + "/Clients/Grace%20Hopper/",
            root + "/Clients/Zo%C3%AB%20%26%20S%C3%B6hne/",
        ]
        (address,) = list(found(ask(office(), "PROPFIND", list(told)[2], depth="1")))[1:]
        assert address == root + "/Clients/Zo%C3%AB%20%26%20S%C3%B6hne/notes%20(old).md"


def test_depths() -> None:
    store = office()
    assert len(found(ask(store, "PROPFIND", WEBDAV, depth="0"))) == 1
    assert len(found(ask(store, "PROPFIND", WEBDAV, depth="1"))) == 4
    assert len(found(ask(store, "PROPFIND", WEBDAV))) == 4
    assert len(found(ask(store, "PROPFIND", README, depth="1"))) == 1
    for depth in ("infinity", " Infinity"):
        response = ask(store, "PROPFIND", WEBDAV, depth=depth)
        assert error_of(response) == (403, "Forbidden")
        assert ElementTree.fromstring(response.body).find("{DAV:}propfind-finite-depth") is not None
    for depth in ("2", "-1", "", "one", "1, 1", "٣"):
        assert error_of(ask(store, "PROPFIND", WEBDAV, depth=depth)) == (400, "BadRequest")
    assert error_of(ask(store, "PROPFIND", WEBDAV + "/nothing")) == (404, "NotFound")


USE = '<d:propfind xmlns:d="DAV:"><d:prop><b>&b;</b></d:prop></d:propfind>'
BOMB = f'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>{USE}'.encode()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (BOMB, 400),
        (propfind("<d:prop><b>&a;</b></d:prop>"), 400),
        (b"no xml", 400),
        (b"<propfind><allprop/></propfind>", 400),
        (b"<a:b:propfind xmlns:a='DAV:'/>", 400),
        (b'<?xml version="1.0" encoding="klingon"?><propfind xmlns="DAV:"><allprop/></propfind>', 400),
        (propfind("<d:prop/><d:allprop/>"), 400),
        (propfind("<d:prop>" + "<d:a>" * 40 + "</d:a>" * 40 + "</d:prop>"), 413),
        (propfind("<!--" + "x" * MAX_XML + "--><d:allprop/>"), 413),
        (propfind("<d:allprop/>").decode().encode("utf-16"), 207),
        (propfind("<other xmlns='urn:x'/><d:allprop/>"), 207),
    ],
)
def test_xml_that_is_wrong_or_too_much_is_refused(body: bytes, status: int) -> None:
    response = ask(office(), "PROPFIND", README, body)
    assert response.status == status
    if status >= 400:
        assert error_of(response)[1] == ("BadRequest" if status == 400 else "EntityTooLarge")


def test_an_answer_that_would_be_too_long_is_refused() -> None:
    store = office(home=Home("ada", {f"/{number}": b"" for number in range(1500)}))
    names = "".join(f"<x{number} xmlns='{'n' * 950}'/>" for number in range(60))
    body = propfind(f"<d:prop>{names}</d:prop>")
    assert error_of(ask(store, "PROPFIND", WEBDAV, body)) == (413, "EntityTooLarge")
    assert ask(store, "PROPFIND", WEBDAV, body, depth="0").status == 207


NAMESPACES = st.one_of(
    st.sampled_from(
        ["", "DAV:", "http://owncloud.org/ns", "http://www.w3.org/XML/1998/namespace", "}", "a}b", "<&'\">"]
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8),
)
LOCALS = st.from_regex(r"[A-Za-z_é][A-Za-z0-9_.é-]{0,8}", fullmatch=True)


@settings(max_examples=30)
@given(st.lists(st.tuples(NAMESPACES, LOCALS), max_size=6))
def test_every_property_asked_for_comes_back_once(names: list[tuple[str, str]]) -> None:
    asked = "".join(
        f"<xml:{local}/>" if "XML/1998" in namespace else f"<{local} xmlns={quoteattr(namespace)}/>"
        for namespace, local in names
    )
    response = ask(office(), "PROPFIND", README, propfind(f"<d:prop>{asked}</d:prop>"))
    if response.status == 400:
        assert any(one in ("}", "\ufffe", "\uffff") for namespace, _ in names for one in namespace)
        return
    parts = found(response)[README]
    shown = [tag for part in parts.values() for tag in part]
    wanted = {f"{{{namespace}}}{local}" if namespace else local for namespace, local in names}
    assert sorted(shown) == sorted(wanted)
