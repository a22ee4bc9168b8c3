"""Keys, paths, methods and bodies."""

from typing import Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.api import Tracker
from teller_gym.office.web import MAX_BODY, Request, Response
from tests.office.tracker.world import FIRST, ITEMS, NOBODY, PROJECT, V1, ask, store

LOST = {"error": "Page not found."}
FORBIDDEN = {"detail": "You do not have permission to perform this action."}


@pytest.fixture
def office() -> Store:
    return store()


def send(office: Store, method: str, path: str, body: bytes = b"", **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Tracker().handle(office, Request(method, path, "", named, body))


def test_keys(office: Store) -> None:
    missing = ask(office, "GET", "projects/", user=None)
    assert (missing.status, missing.data()) == (401, {"detail": "Authentication credentials were not provided."})
    for key in ("wrong", "old"):
        wrong = ask(office, "GET", "projects/", user=key)
        assert (wrong.status, wrong.data()) == (403, {"detail": "Given API token is not valid"})
    for stranger in (
        ask(office, "GET", "projects/", user="out"),
        ask(office, "GET", "/api/v1/workspaces/other/projects/"),
    ):
        assert (stranger.status, stranger.data()) == (403, FORBIDDEN)
    bearer = send(office, "GET", "/api/v1/users/me/", authorization="Bearer key-ada")
    assert bearer.status == 401


@pytest.mark.parametrize("path", ["/", "/tac/projects/", "/api", "/workspaces/tac/projects/", "*", "", "/login?next=/"])
def test_the_web_app_answers_all_other_paths_with_a_page(office: Store, path: str) -> None:
    page = send(office, "GET", path)
    assert page.status == 200 and page.header("Content-Type") == "text/html; charset=utf-8"
    assert page.body.startswith(b"<!DOCTYPE html>")
    assert send(office, "HEAD", path).status == 200
    assert send(office, "POST", path).status == 405


def test_the_last_slash(office: Store) -> None:
    for method in ("GET", "POST"):
        moved = ask(office, method, "projects", query="per_page=1&x=a%20b")
        assert (moved.status, moved.header("Location")) == (301, f"{V1}/projects/?per_page=1&x=a%20b")
    assert ask(office, "GET", "projects", user=None).status == 301


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/",
        "/api/v1/projects/",
        "/api/v1/nowhere",
        "/api/v2/users/me/",
        "/auth/sign-in/",
        f"{V1}//projects/",
        f"{V1}/projects/not-a-uuid/",
        f"{V1}/projects/{NOBODY.replace('8000', '800A')}/",
        f"{V1}/work-items/12/",
        f"{V1}/work-items/search/",
        f"{V1}/projects/{NOBODY}/work-items/WM-1/",
    ],
)
def test_paths_that_lead_nowhere(office: Store, path: str) -> None:
    answer = ask(office, "GET", path)
    assert (answer.status, answer.data()) == (404, LOST)


def test_methods(office: Store) -> None:
    for method, path, allowed in (
        ("DELETE", f"projects/{PROJECT}/", "GET"),
        ("PUT", ITEMS, "GET, POST"),
        ("HEAD", ITEMS, "GET, POST"),
        ("POST", "members/", "GET"),
    ):
        answer = ask(office, method, path)
        assert (answer.status, answer.header("Allow")) == (405, allowed)
        assert answer.data() == {"detail": f'Method "{method}" not allowed.'}
    assert ask(office, "PUT", ITEMS, user=None).status == 401


def test_bodies(office: Store) -> None:
    path = f"{V1}/{ITEMS}"
    before = office.state_hash()

    def post(body: bytes, content_type: str = "application/json") -> tuple[int, Any]:
        answer = send(office, "POST", path, body, x_api_key="key-ada", content_type=content_type)
        return answer.status, answer.data()

    assert post(b"") == (400, {"name": ["This field is required."]})
    assert post(b"name=x", "application/x-www-form-urlencoded") == (
        415,
        {"detail": 'Unsupported media type "application/x-www-form-urlencoded" in request.'},
    )
    status, data = post(b'{"name": ')
    assert status == 400 and data["detail"].startswith("JSON parse error - ")
    for body in (b'"\\ud800x"', b"\xff", b"[" * 100_000, b"NaN", b"1" * 5000):
        assert post(body)[0] == 400, body[:10]
    wrong = {"non_field_errors": ["Invalid data. Expected a dictionary, but got list."]}
    assert post(b"[]", "Application/JSON; charset=utf-8") == (400, wrong)
    assert post(b" " * (MAX_BODY + 1))[0] == 413
    assert office.state_hash() == before


def test_a_query_that_cannot_be_read(office: Store) -> None:
    assert ask(office, "GET", "projects/", query="&".join("a=1" for _ in range(1001))).status == 400
    assert ask(office, "GET", "projects/", query="a=\ud800").status == 400
    assert send(office, "GET", "/api/v1/\ud800/", x_api_key="key-ada").status == 400


def test_old_and_new_paths_are_the_same(office: Store) -> None:
    for rest in ("", f"{FIRST}/", f"{FIRST}/comments/", f"{FIRST}/activities/"):
        old = ask(office, "GET", f"projects/{PROJECT}/issues/{rest}")
        assert old.status == 200 and old == ask(office, "GET", f"{ITEMS}{rest}")
    assert ask(office, "GET", "issues/WM-1/") == ask(office, "GET", "work-items/WM-1/")
