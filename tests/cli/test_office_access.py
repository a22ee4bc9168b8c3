"""Verdicts that blame access; they are read from the office itself, so that no log and no crash changes them."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from teller_gym.cli import main

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.people import KEYS
from teller_gym.office.serving.journal import FILE
from teller_gym.office.store import Store
from teller_gym.office.web import Request, Response
from teller_gym.office_tasks.access import Watched, shut, without_notes
from teller_gym.office_tasks.contract import load_office
from teller_gym.registration import OFFICES
from tests.cli.office_process import PATIENCE_S, REPO, TASK, begun, working
from tests.office.serving.asking import request


def test_who_was_refused_everywhere_lacked_access() -> None:
    with working() as work:
        assert work.files("PROPFIND", "", password="wrong").status == 401
        assert work.crm("wrong").status == 401
        verdict = work.verdict()
        assert {one["failure"] for one in verdict["findings"]} == {"E1"}
        assert "401 for PROPFIND" in verdict["findings"][0]["evidence"]


def test_one_needed_service_that_lets_nobody_in_is_enough() -> None:
    with working() as work:
        assert work.files("GET", f"{work.folder}/assets.csv").status == 200
        assert work.crm("wrong").status == 401
        assert work.failures() == {"E1"}


def test_a_service_that_the_work_does_not_need_stops_nothing() -> None:
    with working() as work:
        tracker = work.told["addresses"]["tracker"]
        assert request(tracker, "GET", "/api/v1/workspaces/office/projects/").status == 401
        assert work.failures() == {"E2"}


def test_who_signed_in_and_looked_in_the_wrong_place_did_not_lack_access() -> None:
    with working() as work:
        assert work.files("GET", "Clients/assets.csv").status == 404
        assert work.failures() == {"E2"}


def test_who_signed_in_at_the_second_try_did_not_lack_access() -> None:
    with working() as work:
        assert work.files("PROPFIND", "", password="wrong").status == 401
        assert work.files("GET", "Clients/assets.csv").status == 404
        assert work.files("PROPFIND", "", password="wrong").status == 401
        assert work.failures() == {"E2"}


def test_who_logged_in_to_the_chat_is_known_there() -> None:
    with working(task="wealth-emergency_fund-high") as work:
        chat, known = work.told["addresses"]["chat"], work.told["credentials"]["chat"]
        assert request(chat, "GET", "/api/v1/me").status == 401
        body = json.dumps({"user": known["username"], "password": known["password"]}).encode()
        assert request(chat, "POST", "/api/v1/login", body, Content_Type="application/json").status == 200
        assert work.failures() == {"E3"}


def test_pages_that_anybody_reads_let_nobody_in() -> None:
    with working() as work:
        assert work.crm("wrong").status == 401
        address = work.told["addresses"]["crm"]
        assert request(address, "GET", "/", X_Api_Key="wrong").status == 200
        assert work.failures() == {"E1"}


def test_who_wrote_something_had_access() -> None:
    with working() as work:
        assert work.crm("wrong").status == 401
        assert work.files("PUT", f"{work.folder}/net_worth.csv", b"Item,Amount\n").status == 201
        assert "E1" not in work.failures()


def test_who_sent_nothing_was_refused_nothing() -> None:
    with working() as work:
        assert work.failures() == {"E2"}


@pytest.mark.parametrize(
    "before",
    [
        b'{"service":"files","method":"GET","path":"/x","status":401,"bytes":3}\n',
        b"not JSON at all\n\xff\xfe\n",
        b'{"service":"files","method":"GET","pa',
        b"[1, 2]\n{}\n",
    ],
    ids=["of an earlier run", "foreign", "torn", "without a status"],
)
def test_a_log_is_written_and_never_read(before: bytes, tmp_path: Path) -> None:
    log = tmp_path / "access.jsonl"
    log.write_bytes(before)
    with working("--log", str(log)) as work:
        assert work.files("GET", "Clients/assets.csv").status == 404
        assert work.failures() == {"E2"}
    text = log.read_bytes()
    assert text.startswith(before)
    last = json.loads(text.splitlines()[-1])
    assert last["status"] == 404 and last["service"] == "files"


def test_refusals_before_a_kill_count_when_the_work_goes_on(tmp_path: Path) -> None:
    state = ("--state", str(tmp_path / "state"))
    with working(*state) as work:
        assert work.crm("wrong").status == 401
        work.process.kill()
        work.process.wait(PATIENCE_S)
    with working(*state) as work:
        assert work.failures() == {"E1"}
    with working(*state) as work:
        assert work.crm().status == 200
        work.process.kill()
        work.process.wait(PATIENCE_S)
    with working(*state) as work:
        assert work.crm("wrong").status == 401
        assert work.failures() == {"E2"}


def mistake(*words: str) -> str:
    process = subprocess.run(
        [sys.executable, "-m", "teller_gym.cli", "office", *words],
        cwd=REPO, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert process.returncode == 2 and process.stdout == "", process
    return process.stderr


def test_the_state_of_other_work_is_refused(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    with working("--state", state) as work:
        work.verdict()
    assert f"was begun by teller-gym office run {TASK}, this is teller-gym office run wealth-net_worth-low" in mistake(
        "run", "wealth-net_worth-low", "--state", state
    )
    assert "this is teller-gym office run wealth-g-7" in mistake("run", "wealth-g-7", "--state", state)
    assert f"was begun by teller-gym office run {TASK}, this is teller-gym office serve" in mistake(
        "serve", "--state", state
    )
    office = ("--office", "tests.office.serving.kv:open_office")
    assert "this is teller-gym office serve" in mistake("serve", *office, "--state", state)
    with working("--state", state) as work:
        assert work.told["state"] == state
        work.verdict()


def test_a_run_does_not_go_on_in_the_folder_of_an_office_that_is_served(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    command = [sys.executable, "-m", "teller_gym.cli", "office", "serve", "--json", "--state", state]
    with subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        login = json.dumps({k: told["credentials"]["chat"][k] for k in ("username", "password")}).encode()
        assert request(
            told["addresses"]["chat"], "POST", "/api/v1/login", login, Content_Type="application/json"
        ).status == 200  # fmt: skip
        process.kill()
    assert "was begun by teller-gym office serve" in mistake("run", TASK, "--state", state)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    with working("--state", state):
        assert "another process is writing to it" in mistake("run", TASK, "--state", state)


def test_tasks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["office", "run", "--list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 24 and rows[0] == {
        "id": TASK, "title": "Net Worth Snapshot", "level": 1, "autonomy": "high", "checkpoints": 4,
    }  # fmt: skip
    assert main(["office", "run", "--list"]) == 0
    out = capsys.readouterr().out
    assert all(row["id"] in out and row["title"] in out for row in rows)
    assert main(["office", "run", "--list", "--split", "validation", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 48
    for words, message in (
        (("run", "--list", TASK), "list: expected no task beside it"),
        (("run", "--list", "--split", "heldout_policy"), "expected one of train, validation, heldout, heldout_worlds"),
        (("run", TASK, "--split", "heldout"), "split: it is of the list"),
        (("serve", "--list"), "--list is of run"),
        (("run", "wealth-networth-high"), f"did you mean '{TASK}'?"),
        (("run", "wealth-world7-meeting"), "did you mean 'wealth-"),
    ):
        assert main(["office", *words]) == 2
        assert message in capsys.readouterr().err


def test_a_run_says_so_before_it_serves_where_the_journal_is_damaged(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("mine" * 200)
    with begun("--state", str(tmp_path)) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 2 and out == "" and "is not the journal of an office" in err


class _Pages:
    """A service with pages: a form signs in, a cookie identifies the user, and a wrong password is refused."""

    name = "files"
    has_pages = True

    def handle(self, store: Store, asked: Request) -> Response:
        if asked.path == "/login" and asked.body == b"right":
            store.put(KEYS, "web:1", {"username": "ann", "expired": False})
            return Response(303)
        if asked.path == "/login":
            return Response(401, (), b"wrong")
        return Response(200, (), b"page" if asked.headers.get("cookie") == "s=1" else b"please sign in")


def test_who_signs_in_by_a_form_or_a_cookie_is_known() -> None:
    task = load_office(OFFICES["wealth"]).find(TASK)

    def after(*asked: Request) -> dict[str, str]:
        store, watched = Store({}, datetime(2026, 3, 2), 1), Watched(_Pages())
        assert watched.has_pages
        for one in asked:
            assert watched.handle(store, one) == _Pages().handle(Store({}, datetime(2026, 3, 2), 1), one)
        assert not list(without_notes(store).rows("office.access"))
        return shut(store, task)

    wrong = Request("POST", "/login", "", {}, b"wrong")
    assert after(wrong) == {"files": "401 for POST /login"} == after(wrong, Request("GET", "/"))
    assert after(wrong, Request("GET", "/", "", {"cookie": "s=0"})) == {"files": "401 for POST /login"}
    assert after(wrong, Request("GET", "/", "", {"cookie": "s=1"})) == {}
    assert after(wrong, Request("POST", "/login", "", {}, b"right"), wrong) == {}
    assert after(Request("GET", "/")) == {}
