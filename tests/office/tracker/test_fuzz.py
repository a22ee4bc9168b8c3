"""Whatever a client sends gets an answer in the tracker's shapes, and a refusal leaves everything as it was."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teller_gym.office.store import Store
from teller_gym.office.tracker.api import Tracker
from teller_gym.office.tracker.routes import _ROUTES
from teller_gym.office.web import Request
from tests.office.tracker.world import SLUG, id_of, store

BASE = store()
IDS = [
    *(id_of(BASE, "projects", name) for name in ("WM", "WM", "WM", "OPEN", "SEC")),
    *(id_of(BASE, "items", name) for name in ("Quarterly metrics", "File the deeds", "Tea")),
    *(id_of(BASE, "states", name) for name in ("Done", "Triage")),
    *(id_of(BASE, "labels", name) for name in ("client", "hush")),
    *(id_of(BASE, "cycles", name) for name in ("March", "January")),
    id_of(BASE, "modules", "Reporting"),
    id_of(BASE, "users", "ben"),
    id_of(BASE, "users", "gus"),
    next(key for key, _ in BASE.rows("tracker.comments")),
    "00000000-0000-4000-8000-000000000000",
]
"""Ids that fit somewhere, and one that fits nowhere."""

NAMES = [
    "name", "description_html", "comment_html", "state", "priority", "assignees", "labels", "parent", "start_date",
    "target_date", "end_date", "archived_at", "is_draft", "point", "sort_order", "sequence", "color", "group", "lead",
    "default", "external_id", "external_source", "identifier", "project_lead", "default_state", "cycle_view", "type",
    "project_id", "issues", "members", "status", "owned_by", "url", "title", "access", "id", "completed_at",
]  # fmt: skip
GOOD = st.sampled_from(
    [
        *IDS,
        "x",
        "<p>x</p>",
        "high",
        "completed",
        "paused",
        "#ff0000",
        "2026-03-01",
        "2026-04-01",
        "https://example.org",
        "EXTERNAL",
        "ABC",
    ]
)
HOSTILE = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, -1, 10**30, 1.5, 1e308, 12, "", " ", "\0", "é🗂", "9" * 400, "<a", "x" * 300]),
    st.text(max_size=5),
)
VALUES: Any = st.one_of(
    GOOD, GOOD, HOSTILE, st.lists(st.one_of(GOOD, HOSTILE), max_size=3), st.dictionaries(GOOD, HOSTILE, max_size=1)
)
BODIES: Any = st.one_of(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6), VALUES)
PARAMETERS = [
    "per_page", "cursor", "order_by", "fields", "expand", "filters", "search", "limit", "project_id", "pql",
    "external_id", "external_source", "cycle_view", "workspace_search",
]  # fmt: skip
ARGUMENTS = [
    *(
        "",
        "1",
        "2:0:0",
        "2:-1:1",
        "%00",
        "%ff",
        "-name",
        "state,assignees,parent,labels",
        "current",
        "é",
        "[[[[",
        IDS[0],
    ),
    '{"not":{"priority":"low"}}',
    '{"start_date__range":["2026-01-01","2027-01-01"]}',
]
QUERIES = st.lists(st.tuples(st.sampled_from(PARAMETERS), st.sampled_from(ARGUMENTS)).map("=".join), max_size=3).map(
    "&".join
)


@st.composite
def paths(draw: st.DrawFn) -> tuple[str, str]:
    pattern = draw(st.sampled_from(sorted(_ROUTES)))
    methods = ("GET", "POST", "PATCH", "DELETE")
    method = draw(st.sampled_from([*_ROUTES[pattern], *_ROUTES[pattern], *methods]))
    parts = []
    for place, part in enumerate(pattern.split("/")):
        ids = IDS[:1] if place == 3 and draw(st.booleans()) else IDS
        parts.append({"$": SLUG, "#": "WM-1", "*": draw(st.sampled_from(ids))}.get(part, part))
    return method, f"/api/v1/{'/'.join(parts)}/"


def send(office: Store, method: str, path: str, query: str, body: bytes, user: str) -> None:
    before = office.snapshot()
    headers = {"x-api-key": f"key-{user}", "content-type": "application/json"}
    answer = Tracker().handle(office, Request(method, path, query, headers, body))
    assert answer.status in (200, 201, 204, 400, 403, 404, 405, 409), answer
    assert answer.body == b"" if answer.status == 204 else json.loads(answer.body) is not None
    if answer.status >= 400 or method == "GET":
        assert office.snapshot() == before


@settings(suppress_health_check=[HealthCheck.too_slow])  # that is about the machine
@given(st.lists(st.tuples(paths(), QUERIES, BODIES, st.sampled_from(["ada", "ada", "ben", "gus", "eve"])), max_size=6))
def test_requests_that_nearly_fit(requests: list[tuple[tuple[str, str], str, Any, str]]) -> None:
    office = store()
    for (method, path), query, body, user in requests:
        send(office, method, path, query, json.dumps(body).encode(), user)
    for key, item in office.rows("tracker.items"):
        assert item["id"] == key and office.get("tracker.projects", item["project"]) is not None
        state = office.get("tracker.states", item["state"])
        assert state is not None and state["project"] == item["project"]
        assert (item["start_date"] or "") <= (item["target_date"] or "9")
        assert item["parent"] is None or office.get("tracker.items", item["parent"]) is not None
        assert all(office.get("tracker.labels", label) is not None for label in item["labels"])
    for table in ("comments", "links", "cycle_items", "module_items"):
        assert all(office.get("tracker.items", record["issue"]) for _, record in office.rows(f"tracker.{table}"))


@given(
    st.text(alphabet=st.sampled_from("GETPOSCHD \ud800é"), max_size=8),
    st.text(max_size=30)
    | st.text(alphabet="/api/v1%20ABCworkspaces?#é", max_size=40).map("/api/v1/workspaces/tac/".__add__),
    st.text(max_size=20),
    st.dictionaries(
        st.sampled_from(["x-api-key", "content-type", "authorization"]), st.text(max_size=20) | st.just("key-ada")
    ),
    st.binary(max_size=20),
)
def test_requests_that_do_not_fit_at_all(
    method: str, path: str, query: str, headers: dict[str, str], body: bytes
) -> None:
    office = store()
    answer = Tracker().handle(office, Request(method, path, query, headers, body))
    assert 200 <= answer.status < 500 and list(office.written()) == []
    for _, value in answer.headers:
        value.encode("latin-1")
        assert "\n" not in value and "\r" not in value
