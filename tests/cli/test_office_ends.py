"""Use of `office run` by programs: ends by file and by request, the prompt, the verdict, ports and address."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from teller_gym.cli import main

pytest.importorskip("uvicorn", reason="needs the extra office")

from tests.cli.office_process import PATIENCE_S, REPO, TASK, begun, working
from tests.office.serving.asking import request


def wait_for(path: Path) -> None:
    end = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("stdin", [subprocess.DEVNULL, subprocess.PIPE], ids=["no input", "open input"])
def test_a_file_ends_the_work(stdin: Any, tmp_path: Path) -> None:
    done, verdict = tmp_path / "done", tmp_path / "verdict.json"
    verdict.write_text("of an earlier run")
    with working("--done-file", str(done), "--verdict-file", str(verdict), stdin=stdin) as work:
        assert not verdict.exists()
        time.sleep(0.5)
        assert work.process.poll() is None
        done.touch()
        assert work.process.stdout is not None
        said = json.loads(work.process.stdout.readline())
        assert work.process.wait(PATIENCE_S) == 1
        assert said["ended_by"] == "file" and said == json.loads(verdict.read_text())


def test_a_request_ends_the_work(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    with working("--control", "--prompt-file", str(prompt), stdin=subprocess.DEVNULL) as work:
        control = work.told["control"]
        for method, path, status in (("GET", "/done", 405), ("GET", "/", 404), ("POST", "/prompt", 404)):
            assert request(control, method, path).status == status
        text = request(control, "GET", "/prompt").body.decode()
        assert text == prompt.read_text() and work.process.poll() is None
        assert request(control, "POST", "/done").body == b'{"done":true}'
        assert work.verdict(None)["ended_by"] == "request"


def test_the_prompt_has_all_that_an_agent_needs(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    with working("--prompt-file", str(prompt)) as work:
        text = prompt.read_text()
        for part in (work.told["request"], work.told["guide"], *work.told["addresses"].values()):
            assert part in text
        for known in work.told["credentials"].values():
            assert all(value in text for value in known.values())
        assert "Enter" not in text and "control" not in text
        assert work.verdict()["ended_by"] == "line"


@pytest.mark.parametrize("more", [("--control",), ("--done-file", "DONE"), ("--control", "--done-file", "DONE")])
def test_a_line_or_the_time_ends_it_all_the_same(more: tuple[str, ...], tmp_path: Path) -> None:
    words = [word.replace("DONE", str(tmp_path / "done")) for word in more]
    with working(*words) as work:
        assert work.verdict("\n")["ended_by"] == "line"
    with working(*words, "--minutes", "0.01", stdin=subprocess.DEVNULL) as work:
        verdict = work.verdict(None)
        assert verdict["ended_by"] == "time" and verdict["time_is_up"]


def test_without_another_end_the_end_of_input_is_one() -> None:
    with working(stdin=subprocess.DEVNULL) as work:
        assert work.verdict(None)["ended_by"] == "end of input"


def test_there_need_be_no_standard_input(tmp_path: Path) -> None:
    done, prompt = tmp_path / "done", tmp_path / "prompt.txt"
    without = ["sh", "-c", 'exec "$@" <&-', "sh"]  # as some process managers start their children
    command = [*without, sys.executable, "-m", "teller_gym.cli", "office", "run", TASK, "--json"]
    with subprocess.Popen(
        [*command, "--done-file", str(done), "--prompt-file", str(prompt)], cwd=REPO, stdout=subprocess.PIPE, text=True
    ) as process:
        wait_for(prompt)
        time.sleep(0.5)
        assert process.poll() is None
        done.touch()
        out, _ = process.communicate(timeout=PATIENCE_S)
        assert json.loads(out.splitlines()[-1])["ended_by"] == "file"
    ended = subprocess.run(command, cwd=REPO, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert json.loads(ended.stdout.splitlines()[-1])["ended_by"] == "end of input", ended.stderr


def test_wrong_files_are_told_before_anything_is_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "done").touch()
    for words, message in (
        (("--done-file", str(tmp_path / "done")), "is there already, and would end the work at once"),
        (("--prompt-file", str(tmp_path)), "prompt_file: expected a file in a folder that is there"),
        (("--prompt-file", str(tmp_path / "no" / "prompt")), "prompt_file: expected a file in a folder that is there"),
        (("--verdict-file", ""), "verdict_file: expected a file in a folder that is there"),
        (("--done-file", str(tmp_path / "no" / "done")), "done_file: expected a file in a folder that is there"),
        (("--ports", "fixed"), "invalid choice: 'fixed'"),
        (("--host", "office"), "host: expected an address of this machine such as 127.0.0.1"),
        (("--host", "192.0.2.1"), "host: expected an address of this machine"),
        (("--public-host", "a b"), "public_host: expected a name or address without port, got 'a b'"),
        (("--public-host", "office:80"), "public_host: expected a name or address without port"),
        (("--port", "control=x"), "port: expected SERVICE=N"),
        (("--port", "controls=1"), "did you mean 'control'?"),
    ):
        assert main(["office", "run", TASK, *words]) == 2
        out, err = capsys.readouterr()
        assert out == "" and message in err.splitlines()[-1], err
    for word, *more in (["--control"], ["--prompt-file", "a"], ["--done-file", "a"], ["--verdict-file", "a"]):
        assert main(["office", "serve", word, *more]) == 2
        assert f"{word} is of run" in capsys.readouterr().err


def free() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_default_ports_are_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import argparse

    from teller_gym.cli.office.starting import ports_of

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
        assert main(["office", "run", TASK, "--port", f"files={taken}"]) == 2
        err = capsys.readouterr().err
        assert f"files cannot have {taken}" in err and "(--port files=N; --ports free has free ones for all)" in err
        assert main(["office", "run", TASK, "--port", f"control={taken}"]) == 2
        assert f"control cannot have {taken}" in capsys.readouterr().err


def test_ports_are_those_that_are_asked_for() -> None:
    files, control = free(), free()
    with working("--port", f"files={files}", "--port", f"control={control}") as work:
        assert urlsplit(work.told["addresses"]["files"]).port == files
        assert work.told["control"] == f"http://127.0.0.1:{control}"
        assert request(work.told["control"], "POST", "/done").status == 200
        assert work.verdict(None)["ended_by"] == "request"


def test_others_reach_it_at_another_address_and_are_warned_of() -> None:
    with working("--host", "0.0.0.0", "--public-host", "office", "--control") as work:
        assert all(one.startswith("http://office:") for one in work.told["addresses"].values())
        port = urlsplit(work.told["control"]).port
        assert urllib.request.urlopen(f"http://127.0.0.1:{port}/prompt").read().count(b"http://office:") == 4
        _, err = work.process.communicate("\n", timeout=PATIENCE_S)
        assert "passwords, keys and documents cross the network in clear" in err
    with working("--host", "0.0.0.0") as work:
        assert all(one.startswith("http://127.0.0.1:") for one in work.told["addresses"].values())
    with begun("--host", "127.0.0.1") as process:
        _, err = process.communicate("\n", timeout=PATIENCE_S)
        assert "clear" not in err


def test_for_people_the_ends_are_printed(tmp_path: Path) -> None:
    done = str(tmp_path / "done")
    command = [sys.executable, "-m", "teller_gym.cli", "office", "run", TASK, "--done-file", done, "--control"]
    found = subprocess.run(command, cwd=REPO, input="\n", capture_output=True, text=True, timeout=60, check=False)
    assert "Enter says that the work is done\nso does the file " in found.stdout, found
    assert "so does POST http://127.0.0.1:" in found.stdout and found.stdout.endswith("the work is not right\n")


def test_a_module_of_the_folder_where_the_script_is_called_is_served(tmp_path: Path) -> None:
    """The installed script has its own folder on its path and not the caller's."""
    script = Path(sys.executable).with_name("teller-gym")
    if not script.exists():
        pytest.skip("the package is not installed beside this Python")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "office.py").write_text((REPO / "examples" / "small_office.py").read_text())
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "teller_gym").symlink_to(REPO / "teller_gym")  # the package without its neighbours
    environment = {"PATH": "/usr/bin:/bin", "PYTHONSAFEPATH": "1", "PYTHONPATH": str(tmp_path / "package")}
    for folder, name in ((REPO, "examples.small_office:open_office"), (tmp_path, "mine.office:open_office")):
        command = [str(script), "office", "serve", "--office", name, "--json"]
        with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            process.kill()
        assert set(json.loads(line)["addresses"]) == {"crm", "files", "chat", "tracker"}
    wrong = [str(script), "office", "serve", "--office", "mine.office:open_office"]
    refused = subprocess.run(wrong, cwd=REPO, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode == 2 and "No module named 'mine'" in refused.stderr
