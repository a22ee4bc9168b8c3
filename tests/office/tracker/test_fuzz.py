"""Any request gets a well-formed answer, and a refused one changes nothing."""

import json
from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.store import Store
from teller_gym.office.tracker.api import Tracker
from teller_gym.office.tracker.routes import ROUTES
from teller_gym.office.web import Request
from tests.office.tracker.world import BASE, FIRST, NOBODY, PROJECT, SLUG, STATES, USERS, id_of, store

ALL_ITEMS = [FIRST, id_of(BASE, "items", "File the deeds"), id_of(BASE, "items", "Tea")]
BELOW = {"projects": [PROJECT] * 20 + [id_of(BASE, "projects", "OPEN")], "work-items": ALL_ITEMS, "issues": ALL_ITEMS}
"""Valid ids for a path, by the preceding part."""

TEXTS = ["x", "<p>x <b>y</b></p>", "ABC", "é🗂"]
DATES = ["2026-01-31", "2026-03-01", "2026-04-01", None]
FITTING: dict[str, list[Any]] = {
    **dict.fromkeys(["name", "description_html", "comment_html"], TEXTS),
    **dict.fromkeys(["start_date", "target_date"], DATES),
    "assignees": [list(USERS.values()), []],
    "state": [*STATES.values(), id_of(BASE, "states", "Triage"), None],
    "priority": ["high", "none"],
    "access": ["INTERNAL", "EXTERNAL"],
    "id": [NOBODY],
    "completed_at": [None],
}
HOSTILE: list[Any] = [
    *(None, True, 0, -1, 10**30, 1.5, 1e308, "", " ", "\0", "9" * 400, "<a", "x" * 300, NOBODY, "x", "é🗂\n"),
    *([], {}, [[]], {"a": None}, [NOBODY], ["x", 1, None], [*ALL_ITEMS, "x"], ["x"] * 200),
]
PARAMETERS = ["per_page", "cursor", "x"]
ARGUMENTS = [
    *("", "1", "2:0:0", "2:-1:1", "%00", "%ff", "é", "[[[[", NOBODY),
]


def target(draw: Random) -> tuple[str, str]:
    pattern = draw.choice(sorted(ROUTES))
    method = draw.choice([*list(ROUTES[pattern]) * 5, "GET", "POST", "PATCH", "DELETE"])
    parts = pattern.split("/")
    for place, part in enumerate(parts):
        if part == "*":
            parts[place] = draw.choice([*BELOW.get(parts[place - 1], []) * 5, NOBODY])
    path = "/".join({"$": SLUG, "#": "WM-1"}.get(part, part) for part in parts)
    return method, f"/api/v1/{path}/"


def body(draw: Random) -> Any:
    """Draw a body with mostly valid fields, some invalid ones, and rarely a value that is not an object."""
    if draw.random() < 0.05:
        return draw.choice(HOSTILE)
    names = {*draw.choice([(), ("name",)]), *draw.sample(list(FITTING), draw.randint(0, 4))}
    wrong = draw.choice([0, 0, 0.3, 0.6])
    return {name: draw.choice(HOSTILE if draw.random() < wrong else FITTING[name]) for name in sorted(names)}


def query(draw: Random) -> str:
    return "&".join(f"{draw.choice(PARAMETERS)}={draw.choice(ARGUMENTS)}" for _ in range(draw.choice([0, 0, 1, 2])))


def send(office: Store, method: str, path: str, query: str, body: Any, user: str) -> int:
    before = office.snapshot()
    headers = {"x-api-key": f"key-{user}", "content-type": "application/json"}
    answer = Tracker().handle(office, Request(method, path, query, headers, json.dumps(body).encode()))
    assert answer.status in (200, 201, 400, 403, 404, 405), answer
    assert json.loads(answer.body) is not None
    if answer.status >= 400 or method == "GET":
        assert office.snapshot() == before
    return answer.status


def check(office: Store) -> None:
    """Check the invariants of the tables."""
    for key, item in office.rows("tracker.items"):
        assert item["id"] == key and office.get("tracker.projects", item["project"]) is not None
        state = office.get("tracker.states", item["state"])
        assert state is not None and state["project"] == item["project"]
        assert (item["start_date"] or "") <= (item["target_date"] or "9")
    for table in ("comments", "activities"):
        assert all(office.get("tracker.items", record["issue"]) for _, record in office.rows(f"tracker.{table}"))


def test_requests_that_nearly_fit() -> None:
    seen: Counter[tuple[str, int]] = Counter()
    for seed in range(50):
        draw, office = Random(seed), store()
        for _ in range(50):
            method, path = target(draw)
            user = draw.choice(["ada"] * 8 + ["ben", "eve"])
            seen[method, send(office, method, path, query(draw), body(draw), user)] += 1
            check(office)
    for common in (("GET", 200), ("POST", 201), ("PATCH", 200), ("POST", 400), ("PATCH", 400)):
        assert seen[common] > 10, seen  # otherwise too few requests are valid


@settings(max_examples=60)
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
