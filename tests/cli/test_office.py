"""`teller-gym office`: output, ends of a task, verdicts, and messages about mistakes."""

import argparse
import io
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from teller_gym.cli import main

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.cli.office.ends import wait_for_end
from teller_gym.cli.office.starting import ports_of
from teller_gym.office.people import KEYS
from teller_gym.office.store import Store
from teller_gym.office.web import Request, Response
from teller_gym.office_tasks.access import Watched, shut, without_notes
from teller_gym.office_tasks.contract import load_office
from teller_gym.registration import OFFICES
from tests.cli.office_process import PATIENCE_S, REPO, TASK, Clients, first_line, office, served, verdict
from tests.office.serving.asking import begin, connect, reply, request

OFFICE = "tests.office.serving.kv:open_office"
SERVE, RUN = ("serve", "--office", OFFICE), ("run", TASK)


def mistake(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["office", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("teller-gym: ")
    return err.splitlines()[-1]


# -- serve ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_a_signal_and_goes_on_afterwards(number: signal.Signals, tmp_path: Path) -> None:
    for turn in range(2):
        with office(*SERVE, "--state", str(tmp_path / "state"), "--json") as process:
            found = first_line(process)
            assert found["credentials"] == {"kv": {"user": "ann", "password": "secret"}}
            assert found["restored"] == 2 * turn
            address = found["addresses"]["kv"]
            assert request(address, "PUT", f"/{turn}", b"1").status == 201
            assert request(address, "GET", "/0").body == b"1"
            with closing(connect(address)) as client:
                begin(client, "PUT", "/late", 5)
                client.send(b"hel")
                request(address, "GET", "/0")
                process.send_signal(number)
                client.send(b"lo")
                assert reply(client).status == (204 if turn else 201)
            out, err = process.communicate(timeout=PATIENCE_S)
            assert process.returncode == 128 + number and out == ""
            kept = f"what was acknowledged is kept in {tmp_path / 'state'}; the same command continues"
            assert err == f"teller-gym: interrupted; {kept}\n"


def test_for_people_it_prints_lines_and_a_second_process_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with office(*SERVE, "--port", "kv=0", "--rate-limit", "1", "--state", str(tmp_path)) as process:
        assert process.stdout is not None
        lines: list[str] = []
        while "Ctrl-C ends" not in lines:
            lines.append(process.stdout.readline().rstrip("\n"))
            assert process.poll() is None
        assert lines[0].startswith("kv      http://127.0.0.1:") and lines[1].startswith("worded  http://127.0.0.1:")
        told = mistake(capsys, *SERVE, "--state", str(tmp_path))
        assert f"another process is writing to it (process {process.pid} on " in told
        address = lines[0].split()[1]
        assert [request(address, "GET", "/first").status for _ in range(3)] == [200, 429, 200]
        # A closed pipe is no error, and the server continues.
        threading.Thread(target=process.stdout.close).start()
        assert request(address, "GET", "/first").status == 429
        process.stdout = None


def test_a_module_of_the_folder_where_the_script_is_called_is_served(tmp_path: Path) -> None:
    """The path of the installed script contains its own folder but not the current one."""
    script = Path(sys.executable).with_name("teller-gym")
    if not script.exists():
        pytest.skip("the package is not installed beside this Python")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "office.py").write_text((REPO / "examples" / "small_office.py").read_text())
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "teller_gym").symlink_to(REPO / "teller_gym")  # without the rest of the repository
    environment = {"PATH": "/usr/bin:/bin", "PYTHONSAFEPATH": "1", "PYTHONPATH": str(tmp_path / "package")}
    command = [str(script), "office", "serve", "--office", "mine.office:open_office"]
    with subprocess.Popen(
        [*command, "--json"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert set(first_line(process)["addresses"]) == {"crm", "files", "chat", "tracker"}
        process.kill()
    refused = subprocess.run(
        command, cwd=REPO, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert refused.returncode == 2 and "No module named 'mine'" in refused.stderr


# -- run --------------------------------------------------------------------------------------------------------------


def test_work_from_outside_survives_a_kill_and_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = load_office(OFFICES["wealth"]).find(TASK)
    (name, text), *_ = task.standard.outputs.items()
    state = ("--state", str(tmp_path / "state"))
    log = tmp_path / "access.jsonl"
    log.write_bytes(b"not JSON at all\n\xff\xfe\n")
    with office(*RUN, "--json", *state, "--log", str(log)) as process:
        found = first_line(process)
        clients = Clients(found)
        assert found["task"] == task.id and found["request"] == task.request and "Basic" in found["guide"]
        assert "another process is writing to it" in mistake(capsys, *RUN, *state)
        assert clients.crm("wrong").status == 401
        assert clients.files("GET", f"{clients.folder}/assets.csv", password="wrong").status == 401
        process.kill()
        process.wait(PATIENCE_S)
    last = json.loads(log.read_bytes().splitlines()[-1])
    assert last["status"] == 401 and last["service"] == "files"
    with office(*RUN, "--json", *state) as process:  # requests refused before the kill still count
        assert first_line(process)["restored"] > 0
        judged = verdict(process)
        assert not judged["success"] and {one["failure"] for one in judged["findings"]} == {"E1"}
    with office(*RUN, "--json", *state) as process:
        clients = Clients(first_line(process))
        assert clients.files("PUT", f"{clients.folder}/{name}", text.encode()).status == 201
        process.kill()
        process.wait(PATIENCE_S)
    with office(*RUN, "--json", *state) as process:
        first_line(process)
        judged = verdict(process)
        assert judged["success"] and not judged["time_is_up"] and judged["ended_by"] == "line"
        assert [one["checkpoint"] for one in judged["findings"]] == list(task.checkpoints)
    for words in (("run", "wealth-net_worth-low"), ("run", "wealth-g-7"), ("serve",), SERVE):
        told = mistake(capsys, *words, *state)
        assert f"was begun by teller-gym office run {TASK}, this is teller-gym office {' '.join(words[:2])[:5]}" in told


@pytest.mark.parametrize("stdin", [subprocess.DEVNULL, subprocess.PIPE], ids=["no input", "open input"])
def test_a_file_ends_the_work(stdin: Any, tmp_path: Path) -> None:
    done, told = tmp_path / "done", tmp_path / "verdict.json"
    told.write_text("of an earlier run")
    with office(*RUN, "--json", "--done-file", str(done), "--verdict-file", str(told), stdin=stdin) as process:
        first_line(process)
        assert not told.exists() and process.poll() is None
        done.touch()
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        assert process.wait(PATIENCE_S) == 1
        assert said["ended_by"] == "file" and said == json.loads(told.read_text())


def test_a_request_ends_the_work_and_others_reach_it(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    words = ("--control", "--prompt-file", str(prompt), "--host", "0.0.0.0", "--public-host", "localhost")
    with office(*RUN, "--json", *words, stdin=subprocess.DEVNULL) as process:
        found = first_line(process)
        control = found["control"]
        assert all(one.startswith("http://localhost:") for one in (control, *found["addresses"].values()))
        for method, path, status in (("GET", "/done", 405), ("GET", "/", 404), ("POST", "/prompt", 404)):
            assert request(control, method, path).status == status
        text = request(control, "GET", "/prompt").body.decode()
        assert text == prompt.read_text() and process.poll() is None
        credentials = [value for known in found["credentials"].values() for value in known.values()]
        for part in (found["request"], found["guide"], *found["addresses"].values(), *credentials):
            assert part in text
        assert "Enter" not in text and "control" not in text
        assert request(control, "POST", "/done").body == b'{"done":true}'
        out, err = process.communicate(timeout=PATIENCE_S)
        assert json.loads(out)["ended_by"] == "request"
        assert "passwords, keys and documents cross the network in clear" in err


def test_for_people_the_ends_are_printed_and_there_need_be_no_input(tmp_path: Path) -> None:
    done = str(tmp_path / "done")
    command = [sys.executable, "-m", "teller_gym.cli", "office", *RUN]
    options: dict[str, Any] = {"cwd": REPO, "capture_output": True, "text": True, "timeout": 60, "check": False}
    found = subprocess.run([*command, "--done-file", done, "--control"], input="\n", **options)
    assert "Enter says that the work is done\nso does the file " in found.stdout, found
    assert "so does POST http://127.0.0.1:" in found.stdout and found.stdout.endswith("the work is not right\n")
    without = ["sh", "-c", 'exec "$@" <&-', "sh"]  # without standard input, as under some process managers
    ended = subprocess.run([*without, *command, "--json"], **options)
    assert json.loads(ended.stdout.splitlines()[-1])["ended_by"] == "end of input", ended.stderr


@pytest.mark.parametrize(
    ("typed", "others", "seconds", "ended_by"),
    [
        ("\n", False, None, "line"), ("\n", True, None, "line"), ("", False, None, "end of input"),
        (None, False, None, "end of input"), ("", True, 0.01, "time"), (None, True, 0.01, "time"),
    ],
)  # fmt: skip
def test_how_work_ends(
    typed: str | None, others: bool, seconds: float | None, ended_by: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(sys, "stdin", None if typed is None else io.StringIO(typed))
    done = threading.Event()
    assert wait_for_end(seconds, tmp_path / "done" if others else None, done if others else None) == ended_by
    if others and seconds:
        (tmp_path / "done").touch()
        assert wait_for_end(5, tmp_path / "done", done) == "file"
        done.set()
        assert wait_for_end(5, tmp_path / "done", done) == "request"


# -- verdicts about access --------------------------------------------------------------------------------------------


def chat_login(one: Clients) -> Any:
    chat, known = one.told["addresses"]["chat"], one.told["credentials"]["chat"]
    assert request(chat, "GET", "/api/v1/me").status == 401
    body = json.dumps({"user": known["username"], "password": known["password"]}).encode()
    return request(chat, "POST", "/api/v1/login", body, Content_Type="application/json")


def tracker(one: Clients) -> Any:
    return request(one.told["addresses"]["tracker"], "GET", "/api/v1/workspaces/office/projects/")


Step = tuple[Callable[[Clients], Any], int]
WRONG_FILES: Step = (lambda one: one.files("PROPFIND", "", password="wrong"), 401)
WRONG_CRM: Step = (lambda one: one.crm("wrong"), 401)
NO_FILE: Step = (lambda one: one.files("GET", "Clients/assets.csv"), 404)
READ: Step = (lambda one: one.files("GET", f"{one.folder}/assets.csv"), 200)
WRITE: Step = (lambda one: one.files("PUT", f"{one.folder}/net_worth.csv", b"Item,Amount\n"), 201)
PAGE: Step = (lambda one: one.crm("wrong", "/"), 200)
TRACKER: Step = (tracker, 401)
LOGIN: Step = (chat_login, 200)
ACCESS: dict[str, tuple[list[Step], set[str]]] = {
    "refused everywhere": ([WRONG_FILES, WRONG_CRM], {"E1"}),
    "one needed service lets nobody in": ([READ, WRONG_CRM], {"E1"}),
    "a service that the work does not need": ([TRACKER], {"E2"}),
    "signed in and looked in the wrong place": ([NO_FILE], {"E2"}),
    "signed in at the second try": ([WRONG_FILES, NO_FILE, WRONG_FILES], {"E2"}),
    "logged in to the chat": ([LOGIN], {"E3"}),
    "pages that anybody reads": ([WRONG_CRM, PAGE], {"E1"}),
    "wrote something": ([WRONG_CRM, WRITE], {"E2", "E4"}),
    "sent nothing": ([], {"E2"}),
}


@pytest.mark.parametrize("name", ACCESS)
def test_a_verdict_blames_access_only_where_access_was_refused(name: str) -> None:
    steps, classes = ACCESS[name]
    with served("wealth-emergency_fund-high" if "chat" in name else TASK) as (clients, judge):
        assert [ask(clients).status for ask, _ in steps] == [status for _, status in steps]
        judged = judge()
        found = {one.failure for one in judged.findings}
        assert found <= classes if name == "wrote something" else found == classes
        if name == "refused everywhere":
            assert "401 for PROPFIND" in judged.findings[0].evidence


class _Pages:
    """A service with web pages, in which a form signs in and a cookie identifies the user."""

    name = "files"
    has_pages = True

    def handle(self, store: Store, asked: Request) -> Response:
        if asked.path == "/login" and asked.body == b"right":
            store.put(KEYS, "web:1", {"username": "ann", "expired": False})
            return Response(303)
        if asked.path == "/login":
            return Response(401, (), b"wrong")
        return Response(200, (), b"page" if asked.headers.get("cookie") == "s=1" else b"please sign in")


def test_a_form_or_a_cookie_signs_in() -> None:
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


# -- lists, ports and mistakes ----------------------------------------------------------------------------------------


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


def test_default_ports_are_always_the_same() -> None:
    options = argparse.Namespace(ports="default", port=["files=9000"])
    assert ports_of(options, ("crm", "files", "chat", "tracker")) == {
        "crm": 8081, "files": 9000, "chat": 8083, "tracker": 8084,
    }  # fmt: skip
    assert ports_of(options, ("control",)) == {"control": 8080, "files": 9000}
    assert ports_of(argparse.Namespace(ports="default", port=[]), ("kv", "crm", "other")) == {
        "crm": 8081, "kv": 8085, "other": 8086,
    }  # fmt: skip
    assert ports_of(argparse.Namespace(ports="free", port=[]), ("crm",)) == {}


def test_a_port_that_is_taken_is_told_with_what_to_pass(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        told = mistake(capsys, *RUN, "--port", f"files={taken}")
        assert f"files cannot have {taken}" in told and "(--port files=N; --ports free has free ones for all)" in told
        assert f"control cannot have {taken}" in mistake(capsys, *RUN, "--port", f"control={taken}")


def test_help_has_an_example_and_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["office", "--help"]) == 0
    assert "examples:\n  teller-gym office serve  " in capsys.readouterr().out
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *more: None)
    assert "pip install -e '.[office]'" in mistake(capsys, *SERVE)
