"""`make fuzz` misses nothing: a test that fails, a process that dies, and what was tried."""

import json
import threading
import time
from pathlib import Path

import pytest

from tests.fuzz import run

ATTACKS = {
    "good": "from tests.fuzz.counts import count\ndef test_it():\n    count('actions', 7)\n",
    "bad": "def test_it():\n    assert False, 'as wanted'\ndef test_other():\n    pass\n",
    "dead": "import os\ndef test_it():\n    os._exit(3)\n",
    "unreadable": "import no_such_module_at_all\n",
}
FOUND = {
    "good": [],
    "bad": ["test_bad::test_it"],
    "dead": ["test_dead ended with status 3"],
    "unreadable": ["::test_unreadable"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_what_an_attack_finds_is_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(run.ROOT))
    monkeypatch.setattr(run, "ROOT", tmp_path)
    file = tmp_path / f"test_{name}.py"
    file.write_text(ATTACKS[name])
    summary = run.Summary()
    run.Runner(tmp_path, 1.0, summary, threading.Event()).attack(file, 0, 11)
    assert list(summary.found) == FOUND[name]
    told = run.report(tmp_path, summary, 11, 1.0)
    kept = json.loads((tmp_path / "summary.json").read_text())
    assert kept["rounds"] == {f"test_{name}": 1}
    assert kept["tried"] == ({"actions": 7} if name == "good" else {})
    assert ("nothing was found" in told) == (name == "good")
    assert ("--hypothesis-seed=11" in (tmp_path / "found.txt").read_text()) == (name != "good")


@pytest.mark.slow
def test_an_attack_that_the_end_of_the_time_ends_tells_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "ROOT", tmp_path)
    file = tmp_path / "test_long.py"
    file.write_text(
        "import pathlib, time\ndef test_bad():\n    assert False\n"
        f"def test_long():\n    pathlib.Path({str(tmp_path / 'begun')!r}).touch()\n    time.sleep(600)\n"
    )
    up, summary = threading.Event(), run.Summary()
    thread = threading.Thread(target=run.Runner(tmp_path, 1.0, summary, up).attack, args=(file, 0, 11))
    thread.start()
    while not (tmp_path / "begun").exists():
        time.sleep(0.05)
        assert thread.is_alive()
    up.set()
    thread.join()
    assert "test_long::test_bad" in summary.found
