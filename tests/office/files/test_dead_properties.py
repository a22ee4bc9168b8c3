"""PROPPATCH: clients' properties are stored unchanged, and a request sets all of its properties or none."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.files.dead import MAX_BYTES, MAX_PROPERTIES, PROPERTIES
from teller_gym.office.files.properties import LIVE
from teller_gym.office.files.tree import NODES
from teller_gym.office.files.writing import copy, delete, move, write_file
from teller_gym.office.store import Store
from tests.office.files.office import WEBDAV, ask, error_of, found, office, proppatch

README = WEBDAV + "/readme.txt"


def patched(store: Store, *acts: str, address: str = README) -> dict[str, int]:
    """Return each property's status."""
    parts = found(ask(store, "PROPPATCH", address, proppatch(*acts)))
    return {tag: status for status, properties in next(iter(parts.values())).items() for tag in properties}


def read(store: Store, kind: str = "<allprop/>", address: str = README) -> dict[str, ElementTree.Element]:
    """Return the properties of a resource, without the store's own."""
    body = f'<propfind xmlns="DAV:">{kind}</propfind>'.encode()
    told = next(iter(found(ask(store, "PROPFIND", address, body, depth="0")).values())).get(200, {})
    return {tag: one for tag, one in told.items() if tag not in LIVE}


def test_properties_are_set_read_and_removed() -> None:
    store = office()
    before = ask(store, "HEAD", README).headers
    assert patched(store, "set <a xmlns='urn:x'>1</a><b>2</b><d:displayname>Z&#xFC;</d:displayname>") == {
        "{urn:x}a": 200,
        "b": 200,
        "{DAV:}displayname": 200,
    }
    for kind in ("<allprop/>", "<prop><a xmlns='urn:x'/><b xmlns=''/><displayname/></prop>"):
        assert {tag: one.text for tag, one in read(store, kind).items()} == {
            "{urn:x}a": "1",
            "b": "2",
            "{DAV:}displayname": "Zü",
        }
    assert {tag: one.text for tag, one in read(store, "<propname/>").items()} == {
        "{urn:x}a": None,
        "b": None,
        "{DAV:}displayname": None,
    }
    included = "<allprop/><include><b xmlns=''/><no/></include>"
    assert len(read(store, included)) == 3
    assert patched(store, "remove <b/>", "set <a xmlns='urn:x'>3</a>", "remove <none/>") == {
        "b": 200,
        "{urn:x}a": 200,
        "none": 200,
    }
    assert {tag: one.text for tag, one in read(store).items()} == {"{urn:x}a": "3", "{DAV:}displayname": "Zü"}
    # Properties are stored apart: the file, its times and the tree do not change.
    assert ask(store, "HEAD", README).headers == before and store.clock() == store.now
    assert {change.table for change in store.diff()} == {PROPERTIES}
    patched(store, "remove <a xmlns='urn:x'/><d:displayname/>")
    assert store.state_hash() == office().state_hash() and store.diff() == []


def test_what_is_asked_is_done_in_order() -> None:
    store = office()
    patched(store, "remove <a/>", "set <a>x</a>", "set <a>y</a>")
    assert read(store)["a"].text == "y"
    patched(store, "set <a>z</a>", "remove <a/>")
    assert read(store) == {}


@pytest.mark.parametrize("live", ["getetag", "lockdiscovery"])
def test_all_or_nothing(live: str) -> None:
    store = office()
    patched(store, "set <a>1</a>")
    saved = store.snapshot()
    body = proppatch("set <a>2</a>", f"set <d:{live}>x</d:{live}>", "remove <a/>")
    response = ask(store, "PROPPATCH", README, body)
    (one,) = ElementTree.fromstring(response.body)
    refused, others = one.findall("{DAV:}propstat")
    assert refused.findtext("{DAV:}status") == "HTTP/1.1 403 Forbidden"
    assert [child.tag for child in refused.find("{DAV:}prop") or ()] == [f"{{DAV:}}{live}"]
    assert refused.find("{DAV:}error/{DAV:}cannot-modify-protected-property") is not None
    assert others.findtext("{DAV:}status") == "HTTP/1.1 424 Failed Dependency"
    assert [child.tag for child in others.find("{DAV:}prop") or ()] == ["a"]
    assert patched(store, f"remove <d:{live}/>", "set <b/>") == {f"{{DAV:}}{live}": 403, "b": 424}
    assert store.snapshot() == saved


def test_bodies_that_change_no_property() -> None:
    store = office()
    saved = store.snapshot()
    for wrong in (b"", b"x", proppatch(), b"<d:propertyupdate xmlns:d='DAV:'><d:set/></d:propertyupdate>"):
        assert error_of(ask(store, "PROPPATCH", README, wrong)) == (400, "BadRequest")
    assert error_of(ask(store, "PROPPATCH", WEBDAV + "/nothing", proppatch("set <a/>"))) == (404, "NotFound")
    assert store.snapshot() == saved


def test_the_number_and_the_size_are_bounded() -> None:
    store = office()
    names = [f"p{number}" for number in range(MAX_PROPERTIES)]
    assert set(patched(store, "set " + "".join(f"<{name}/>" for name in names)).values()) == {200}
    saved = store.snapshot()
    assert patched(store, "set <p1>x</p1><more/>", "remove <none/>") == {"p1": 507, "more": 507, "none": 424}
    assert store.snapshot() == saved
    assert patched(store, "remove <p2/>", "set <more/>") == {"p2": 200, "more": 200}
    store = office()
    assert patched(store, f"set <a>{'ä' * (MAX_BYTES // 2)}</a>") == {"a": 507}
    assert patched(store, f"set <a>{'ä' * (MAX_BYTES // 2 - 1)}</a>") == {"a": 200}


def test_they_go_along_and_end_with_what_they_are_about() -> None:
    store = office()
    for address in (README, WEBDAV + "/Clients", WEBDAV + "/Clients/Grace%20Hopper/deed.txt"):
        patched(store, f"set <of>{address[-8:]}</of>", address=address)
    copy(store, "ada", "/Clients", "/Copy")
    copy(store, "ada", "/Clients", "/Shallow", deep=False)
    write_file(store, "ada", "/readme.txt", b"again")
    move(store, "ada", "/readme.txt", "/Copy/Grace Hopper/assets.csv")
    assert {key: record["properties"]["of"] for key, record in store.rows(PROPERTIES)} == {
        "ada/Clients": "/Clients",
        "ada/Clients/Grace Hopper/deed.txt": "deed.txt",
        "ada/Copy": "/Clients",
        "ada/Copy/Grace Hopper/deed.txt": "deed.txt",
        "ada/Shallow": "/Clients",
        "ada/Copy/Grace Hopper/assets.csv": "adme.txt",
    }
    copy(store, "ada", "/Clients/Zoë & Söhne", "/Copy")  # a replaced file leaves nothing behind
    delete(store, "ada", "/Clients")
    assert [key for key, _ in store.rows(PROPERTIES)] == ["ada/Shallow"]
    write_file(store, "ada", "/Copy/deed.txt", b"")
    assert read(store, address=WEBDAV + "/Copy/deed.txt") == {}
    assert all(store.get(NODES, key) is not None for key, _ in store.rows(PROPERTIES))


URIS = st.sampled_from(["", "DAV:", "urn:x", "http://owncloud.org/ns", "urn:<&'\">"])
LOCALS = st.sampled_from(["a", "b", "é", "getetag"])
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from("\t\n"), max_size=6)
TEXTS = TEXTS.filter(lambda text: not {"\ufffe", "\uffff"} & set(text))


@st.composite
def elements(draw: st.DrawFn, depth: int = 2) -> ElementTree.Element:
    """Draw an element with nested texts, attributes and elements."""

    def name() -> str:
        uri = draw(URIS)
        return (f"{{{uri}}}" if uri else "") + draw(LOCALS)

    made = ElementTree.Element(name(), {name(): draw(TEXTS) for _ in range(draw(st.integers(0, 2)))})
    made.text = draw(TEXTS)
    for child in draw(st.lists(elements(depth - 1), max_size=2)) if depth else ():
        child.tail = draw(TEXTS)
        made.append(child)
    return made


def canonical(one: ElementTree.Element) -> object:
    return [one.tag, sorted(one.attrib.items()), one.text or "", [(canonical(each), each.tail or "") for each in one]]


@settings(max_examples=50)
@given(URIS, elements())
def test_every_value_comes_back(uri: str, value: ElementTree.Element) -> None:
    store = office()
    sent = ElementTree.Element(f"{{{uri}}}value" if uri else "value")
    sent.append(value)
    assert set(patched(store, f"set {ElementTree.tostring(sent, encoding='unicode')}").values()) == {200}
    (back,) = read(store).values()
    assert canonical(back) == canonical(sent)


@pytest.mark.parametrize(
    "sent",
    [
        "<a xmlns='urn:a'><b xmlns=''><c xmlns='urn:c' q='1'/></b><d/>tail</a>",
        "<x:a xmlns:x='urn:a'><b><x:c/></b><x:d xmlns:x='urn:other'><x:e x:f='1'/></x:d></x:a>",
        "<a>one<!-- no part of it -->two<?nor this?><![CDATA[<three>]]></a>",
    ],
)
def test_namespaces_and_texts_mean_the_same_as_before(sent: str) -> None:
    store = office()
    patched(store, f"set {sent}")
    (back,) = read(store).values()
    assert canonical(back) == canonical(ElementTree.fromstring(sent))
