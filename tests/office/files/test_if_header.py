"""The If header: every header that the grammar generates is read back, and nothing else is accepted."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.if_header import Condition, Conditions, State, holds, parse, tokens

URIS = st.sampled_from(["opaquelocktoken:1", "urn:uuid:2", "DAV:no-lock", "http://x/a%20b?c", "/remote.php/webdav/a"])
ETAGS = st.sampled_from(['"a"', '""', 'W/"a"', '"a) (Not <b>"', '"]["'])
CONDITIONS = st.one_of(
    st.builds(Condition, URIS, st.just(False), st.booleans()),
    st.builds(Condition, ETAGS, st.just(True), st.booleans()),
)
LISTS = st.lists(CONDITIONS, min_size=1, max_size=4).map(tuple)
UNTAGGED = st.lists(st.builds(Conditions, st.none(), LISTS), min_size=1, max_size=4)
TAGGED = st.lists(st.builds(Conditions, URIS, LISTS), min_size=1, max_size=4)
BLANKS = st.sampled_from(["", " ", "\t ", "  "])


def written(one: Condition, blank: str) -> str:
    value = f"[{one.value}]" if one.is_etag else f"<{one.value}>"
    return f"{'nOt' + blank if one.negated else ''}{value}"


@settings(max_examples=50)
@given(UNTAGGED | TAGGED, BLANKS, st.booleans())
def test_what_the_grammar_makes_is_read(lists: list[Conditions], blank: str, repeats: bool) -> None:
    parts, last = [], None
    for one in lists:
        if one.resource is not None and (repeats or one.resource != last):
            parts.append(f"<{one.resource}>")
        parts.append(f"({blank}{blank.join(written(each, blank) for each in one.conditions)}{blank})")
        last = one.resource
    assert parse(blank + blank.join(parts) + blank) == tuple(lists)
    named = {each.value for one in lists for each in one.conditions if not each.is_etag}
    assert tokens(tuple(lists)) == named


@settings(max_examples=50)
@given(UNTAGGED | TAGGED, st.sampled_from(["", '"a"']), st.sets(URIS))
def test_one_list_is_enough_and_all_of_its_conditions_count(lists: list[Conditions], etag: str, held: set[str]) -> None:
    state = State(etag, frozenset(held))
    true = [
        all(((one.value == etag) if one.is_etag else one.value in held) is not one.negated for one in listed.conditions)
        for listed in lists
    ]
    assert holds(tuple(lists), lambda resource: state) is any(true)


def test_each_list_is_about_its_own_resource() -> None:
    lists = parse('</a> (<urn:1>) (["e"]) </b> (Not <urn:1> ["f"])')
    assert [one.resource for one in lists] == ["/a", "/a", "/b"]
    states = {"/a": State('"x"', frozenset()), "/b": State('"f"', frozenset())}
    assert holds(lists, lambda resource: states[resource or ""])
    states["/b"] = State('"f"', frozenset({"urn:1"}))
    assert not holds(lists, lambda resource: states[resource or ""])


@pytest.mark.parametrize(
    "header",
    [
        *("", " ", "()", "(", ")", "(<a:b>", "<a:b>)", "<a:b>", "(<a:b>) <c:d>", "<c:d> <e:f> (<a:b>)", "((<a:b>))"),
        *("(Not)", "(Not Not <a:b>)", "(a:b)", "(<a b>)", "(<>)", "([a])", '("a")', '(["a"'),
        *("(<a:b>),(<c:d>)", "Not (<a:b>)", "(Notx <a:b>)", '(["a"b])', "*", '"a"', "(<a:<b>>)", "(<a:b>)x"),
    ],
)
def test_anything_else_is_refused(header: str) -> None:
    with pytest.raises(FilesError) as refused:
        parse(header)
    assert refused.value.status == 400


@given(st.text(alphabet='()<>[]"NotW/ a:\t', max_size=30) | st.text(max_size=20))
def test_whatever_comes_is_read_or_refused(header: str) -> None:
    try:
        assert parse(header)
    except FilesError as error:
        assert error.status == 400


@pytest.mark.parametrize("piece", ["(", "<", "(<a:b>", "<a:b>", "([", '(["', "Not ", " ", "(<a:b>) ", '(["a"]) '])
def test_long_headers_are_read_in_linear_time(piece: str) -> None:
    begun = time.process_time()
    with suppress(FilesError):
        parse(piece * (200_000 // len(piece)))
    assert time.process_time() - begun < 5
