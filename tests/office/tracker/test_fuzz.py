"""Whatever a client sends gets an answer in the tracker's shapes, and a refusal leaves everything as it was."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.store import Store
from teller_gym.office.tracker.api import Tracker
from teller_gym.office.tracker.routes import _ROUTES
from teller_gym.office.web import Request
from tests.office.tracker.world import SLUG, id_of, store

BASE = store()
NOBODY = "00000000-0000-4000-8000-000000000000"


def ids(table: str, *names: str) -> list[str]:
    return [id_of(BASE, table, name) for name in names]


ITEMS = ids("items", "Quarterly metrics", "File the deeds", "Call the Martins", "Tea")
STATES, LABELS = ids("states", "Done", "Todo", "Triage"), ids("labels", "client", "urgent letter", "hush")
USERS, CYCLES = ids("users", "ben", "ada", "gus"), ids("cycles", "March", "January")
MODULES, PROJECTS = ids("modules", "Reporting"), ids("projects", "WM", "OPEN", "SEC")
BELOW = {
    "projects": PROJECTS[:1] * 20 + PROJECTS,
    "work-items": ITEMS,
    "issues": ITEMS,
    "states": [*STATES, *ids("states", "Cancelled")],
    "labels": LABELS,
    "cycles": CYCLES,
    "modules": MODULES,
    "cycle-issues": ITEMS,
    "module-issues": ITEMS,
    "comments": [next(key for key, _ in BASE.rows("tracker.comments"))],
}
"""Ids that fit behind a part of a path."""

TEXTS = ["x", "<p>x <b>y</b></p>", "ABC", "é🗂"]
DATES = ["2026-01-31", "2026-03-01", "2026-04-01", None]
BOTH = [True, False]
FITTING: dict[str, list[Any]] = {
    **dict.fromkeys(["name", "description_html", "comment_html", "external_id", "external_source", "title"], TEXTS),
    **dict.fromkeys(["start_date", "target_date", "end_date"], DATES),
    **dict.fromkeys(["is_draft", "default", "cycle_view"], BOTH),
    **dict.fromkeys(["project_lead", "lead", "owned_by"], USERS),
    "archived_at": DATES,
    "assignees": [USERS, USERS[:1], []],
    "labels": [LABELS, LABELS[1:], []],
    "members": [USERS, []],
    "issues": [ITEMS[:2], ITEMS[2:3], ITEMS],
    "state": [*STATES, None],
    "default_state": STATES,
    "parent": [*ITEMS, None],
    "project_id": PROJECTS[:1],
    "priority": ["high", "none"],
    "group": ["completed", "started", "triage"],
    "status": ["planned", "paused"],
    "point": [0, 12, None],
    "sort_order": [5, 1e6],
    "sequence": [5, 1e6],
    "color": ["#ff0000"],
    "identifier": ["abc", "X"],
    "url": ["https://example.org/", "http://example.org/?a=b"],
    "access": ["INTERNAL", "EXTERNAL"],
    "id": [NOBODY],
    "completed_at": [None],
}
HOSTILE: list[Any] = [
    *(None, True, 0, -1, 10**30, 1.5, 1e308, "", " ", "\0", "9" * 400, "<a", "x" * 300, NOBODY, "x", "é🗂\n"),
    *([], {}, [[]], {"a": None}, [NOBODY], ["x", 1, None], [*ITEMS, "x"], ["x"] * 200),
]
REQUIRED = ("name", "color", "identifier", "project_id", "issues", "url")
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
        NOBODY,
    ),
    '{"not":{"priority":"low"}}',
    '{"start_date__range":["2026-01-01","2027-01-01"]}',
]


def target(draw: Random) -> tuple[str, str]:
    pattern = draw.choice(sorted(_ROUTES))
    method = draw.choice([*list(_ROUTES[pattern]) * 5, "GET", "POST", "PATCH", "DELETE"])
    parts = pattern.split("/")
    for place, part in enumerate(parts):
        if part == "*":
            parts[place] = draw.choice([*BELOW.get(parts[place - 1], []) * 5, NOBODY])
    path = "/".join({"$": SLUG, "#": "WM-1"}.get(part, part) for part in parts)
    return method, f"/api/v1/{path}/"


def body(draw: Random) -> Any:
    """Mostly fields that fit, now and then one that does not, and seldom no object at all."""
    if draw.random() < 0.05:
        return draw.choice(HOSTILE)
    names = {*draw.choice([(), REQUIRED]), *draw.sample(list(FITTING), draw.randint(0, 4))}
    wrong = draw.choice([0, 0, 0, 0.3])
    return {name: draw.choice(HOSTILE if draw.random() < wrong else FITTING[name]) for name in sorted(names)}


def query(draw: Random) -> str:
    return "&".join(f"{draw.choice(PARAMETERS)}={draw.choice(ARGUMENTS)}" for _ in range(draw.choice([0, 0, 1, 2])))


def send(office: Store, method: str, path: str, query: str, body: Any, user: str) -> int:
    before = office.snapshot()
    headers = {"x-api-key": f"key-{user}", "content-type": "application/json"}
    answer = Tracker().handle(office, Request(method, path, query, headers, json.dumps(body).encode()))
    assert answer.status in (200, 201, 204, 400, 403, 404, 405, 409), answer
    assert answer.body == b"" if answer.status == 204 else json.loads(answer.body) is not None
    if answer.status >= 400 or method == "GET":
        assert office.snapshot() == before
    return answer.status


def check(office: Store) -> None:
    """What must hold after any work."""
    for key, item in office.rows("tracker.items"):
        assert item["id"] == key and office.get("tracker.projects", item["project"]) is not None
        state = office.get("tracker.states", item["state"])
        assert state is not None and state["project"] == item["project"]
        assert (item["start_date"] or "") <= (item["target_date"] or "9")
        assert item["parent"] is None or office.get("tracker.items", item["parent"]) is not None
        assert all(office.get("tracker.labels", label) is not None for label in item["labels"])
    for table in ("comments", "links", "attachments", "cycle_items", "module_items"):
        assert all(office.get("tracker.items", record["issue"]) for _, record in office.rows(f"tracker.{table}"))
    for key in PROJECTS:
        defaults = [one for _, one in office.rows("tracker.states") if one["project"] == key and one["default"]]
        assert len(defaults) <= 1


def test_requests_that_nearly_fit() -> None:
    seen: Counter[tuple[str, int]] = Counter()
    for seed in range(130):
        draw, office = Random(seed), store()
        for _ in range(40):
            method, path = target(draw)
            user = draw.choice(["ada"] * 8 + ["ben", "gus"])
            seen[method, send(office, method, path, query(draw), body(draw), user)] += 1
            check(office)
    for common in (("GET", 200), ("POST", 201), ("POST", 200), ("PATCH", 200), ("DELETE", 204), ("POST", 400)):
        assert seen[common] > 20, seen  # else the requests do not fit well enough to try much


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
