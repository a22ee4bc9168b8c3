"""`make fuzz` misses nothing: a test that fails, a process that dies, and what was tried."""

import json
import subprocess
import sys
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
def test_the_property_tests_of_all_folders_are_an_attack_with_new_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uses the suite's own configuration, under which `make test` would try the same examples in both runs."""
    (tmp_path / "tests" / "fuzz").mkdir(parents=True)
    (tmp_path / "tests" / "conftest.py").write_bytes((run.ROOT / "tests" / "conftest.py").read_bytes())
    (tmp_path / "tests" / "fuzz" / "test_other.py").write_text("def test_it():\n    assert False\n")
    (tmp_path / "tests" / "test_drawn.py").write_text(
        "from hypothesis import given, strategies as st\n"
        "def test_plain():\n    assert False\n"
        "@given(st.integers())\ndef test_drawn(number):\n"
        f"    open({str(tmp_path / 'drawn')!r}, 'a', encoding='utf-8').write(f'{{number}} ')\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(run.ROOT))
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "PROPERTIES", tmp_path / "tests" / "properties")
    drawn = []
    for number, seed in enumerate((11, 12)):
        summary = run.Summary()
        run.Runner(tmp_path, 1.0, summary, threading.Event()).attack(run.PROPERTIES, number, seed)
        assert (summary.found, summary.tests) == ({}, 1)
        drawn.append((tmp_path / "drawn").read_text())
        (tmp_path / "drawn").unlink()
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize("fuzzing", [False, True])
def test_only_fuzzing_draws_new_examples(fuzzing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLER_GYM_FUZZ", "4")
    if not fuzzing:
        monkeypatch.delenv("TELLER_GYM_FUZZ")
    code = "import tests.conftest; from hypothesis import settings; print(settings.default.derandomize)"
    assert subprocess.check_output([sys.executable, "-c", code], cwd=run.ROOT, text=True).strip() == str(not fuzzing)


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
