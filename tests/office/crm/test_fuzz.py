"""Any request gets an answer, a refused one writes nothing, and equal requests get equal bytes."""

import json
from typing import Any
from urllib.parse import quote_plus

from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.crm.descriptions import built_in
from teller_gym.office.web import Request
from tests.office.crm.world import SERVICE, office, rid

ANN = rid("Contact", "ann")
REVIEW = rid("Meeting", "review")

WORDS = st.sampled_from(
    [
        "Contact", "Meeting", "Note", "App", "user", "action", "stream", "file", "Attachment", ANN, "accounts",
        "%2e%2e", "%ff", "..", "", "\u00e9", "contacts", "Document",
    ]
)  # fmt: skip
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), WORDS)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=6,
)
PATHS = st.one_of(
    st.lists(WORDS, max_size=4).map("/".join),
    st.sampled_from(list(built_in())),
    st.sampled_from(["CBeneficiary", f"Contact/{ANN}", f"Meeting/{REVIEW}", f"Contact/{ANN}/accounts"]),
    st.sampled_from([f"Contact/{ANN}/stream", f"Meeting/{REVIEW}/users", f"Meeting/{REVIEW}/contacts"]),
    st.sampled_from([f"Note/{rid('Note', 'hello')}", f"Opportunity/{rid('Opportunity', 'pension')}"]),
)
FIELDS = st.sampled_from(
    [
        "name", "lastName", "accountId", "accountsIds", "accountsColumns", "parentType",
        "parentId", "dateStart", "dateEnd", "dateStartDate", "usersIds", "usersColumns", "amount", "file",
        "id", "ids", "status", "post", "doNotCall", "isAllDay",
        "assignedUserId",
    ]
)  # fmt: skip
SENSIBLE = st.sampled_from(
    [
        "x", ANN, REVIEW, rid("User", "ben"), [rid("Account", "birch")], [], {}, "Contact", "2026-03-05",
        "2026-03-05 10:00", "9999-12-31 23:00:00", "0001-01-01", "Accepted", 5, True, {ANN: {"status": "Accepted"}},
        "data:text/plain;base64,aGk=", "Closed Lost",
    ]
)  # fmt: skip
PARAMETERS = st.sampled_from(
    [
        "where[0][type]", "where[0][attribute]", "where[0][value]", "where[0][value][]", "where[][type]", "where",
        "offset", "maxSize", "orderBy", "order", "textFilter", "[",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "X"]),
    PATHS,
    st.lists(
        st.tuples(PARAMETERS, st.one_of(WORDS, st.text(max_size=8), st.sampled_from(["equals", "name", "1"]))),
        max_size=4,
    ),
    st.one_of(st.dictionaries(FIELDS, st.one_of(JSON, SENSIBLE), max_size=6), JSON),
    st.sampled_from(["key-of-ben", "key-of-cleo", "key-of-ada", "x"]),
)
def test_whatever_comes_is_answered(method: str, path: str, params: list[tuple[str, str]], body: Any, key: str) -> None:
    store = office()
    query = "&".join(f"{quote_plus(name, safe='[]')}={quote_plus(value)}" for name, value in params)
    headers = {"x-api-key": key, "content-type": "application/json"}
    raw = json.dumps(body).encode()
    found = SERVICE.handle(store, Request(method, f"/api/v1/{path}", query, headers, raw))
    assert found.status in (200, 400, 401, 403, 404, 405, 409)
    assert all(value.isprintable() and value.encode("latin-1") for _, value in found.headers)
    if found.status != 200:
        assert not list(store.written()), "a refusal writes nothing"
    again = office()
    assert SERVICE.handle(again, Request(method, f"/api/v1/{path}", query, headers, raw)) == found
    assert again.state_hash() == store.state_hash()
