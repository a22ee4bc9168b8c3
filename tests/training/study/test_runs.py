"""Playing a study: each run has its own folder, continues after an interruption, and may fail without the others."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.training.study.__main__ import main
from teller_gym.training.study.plan import plan
from teller_gym.training.study.runs import play, play_all
from tests.training.small import SMALL
from tests.training.study.folders import study_file


def command(folder: Path, *more: str) -> list[str]:
    words = ["--runs", str(folder / "runs"), "--out", str(folder / "out"), "--seeds", "4", "--jobs", "2"]
    return [str(folder / "which.yaml"), *words, *more]


def stub(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """Replace every command by a script, and note the arguments of each."""
    noted = folder / "noted.txt"
    start = subprocess.Popen

    def popen(words: list[str], **options: object) -> object:
        with noted.open("a") as file:
            file.write(" ".join(words[2:]) + "\n")
        return start([sys.executable, "-c", script, *words[2:]], **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", popen)
    return noted


TRAINS = """
import json, pathlib, sys
if sys.argv[1].endswith("cli"):
    folder = pathlib.Path(next(w for w in sys.argv if w.startswith("run_dir=")).removeprefix("run_dir="))
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(json.dumps({"split": "heldout"}))
else:
    folder = pathlib.Path(sys.argv[4])
    folder.mkdir(parents=True)
    (folder / "report.json").write_text("{}")
"""


def test_each_run_is_trained_and_then_evaluated_elsewhere_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = stub(tmp_path, monkeypatch, TRAINS)
    (job, _) = plan(study_file(tmp_path), [4], tmp_path / "runs").jobs
    for _ in range(2):
        play(job)
        run = job.folder / "run"
        assert noted.read_text().splitlines() == [
            f"teller_gym.cli train --config-name demo logger=none seed=4 run_dir={run}",
            f"teller_gym.training.study.on_split {run} heldout_policy {job.folder / 'splits' / 'heldout_policy'}",
        ]
    assert json.loads((job.folder / "command.json").read_text()) == list(job.words)
    (processor,) = json.loads((job.folder / "processors.json").read_text())
    assert "cores" in processor
    # What is finished was made by another command: nothing is played.
    with pytest.raises(OptionError, match=r"holds a finished run of another command .*seed=4\) than the study's"):
        play_all([replace(job, words=(*job.words, "reward=sparse"))], 1)
    assert len(noted.read_text().splitlines()) == 2


def test_a_run_that_fails_is_told_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub(tmp_path, monkeypatch, "import sys\nif 'reward=sparse' in sys.argv: sys.exit('no memory')\n" + TRAINS)
    jobs = plan(study_file(tmp_path), [4, 5], tmp_path / "runs").jobs
    failures = play_all(jobs, 2)
    assert [failure.split(" ended with 1: ") for failure in failures] == [
        ["second, seed 4", "no memory\n"], ["second, seed 5", "no memory\n"],
    ]  # fmt: skip
    assert all((job.folder / "splits" / "heldout_policy").exists() == (job.variant == "first") for job in jobs)


def test_nothing_begins_with_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = stub(tmp_path, monkeypatch, "import sys\nif 'seed=4' in sys.argv: sys.exit('no memory')\n" + TRAINS)
    jobs = plan(study_file(tmp_path, shared="sft"), [4, 5], tmp_path / "runs").jobs
    failed, *others = play_all(jobs, 1)
    assert failed == "first, seed 4 ended with 1: no memory\n"
    # The fake training leaves no phase that seed 5 could copy.
    assert "second, seed 4 was not begun: what it begins with was not finished" in others
    assert any("seed-5" in one and "has not finished sft" in one for one in others) and len(others) == 2
    assert not any("reward=sparse" in line for line in noted.read_text().splitlines())


@pytest.mark.slow
@pytest.mark.training
def test_a_study_is_killed_and_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study_file(tmp_path, overrides=[*SMALL, "hardware.threads=1"], shared="sft")
    words = [sys.executable, "-m", "teller_gym.training.study", *command(tmp_path)]
    first, second = (tmp_path / "runs" / name / "seed-4" for name in ("first", "second"))
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 400
        while not (first / "run" / "untrained" / "checkpoint").exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    assert "interrupted; the same command continues" in told
    assert not (first / "result.json").exists()
    # The folder is locked unless its command was ended, too.
    begun = (first / "run" / "untrained" / "checkpoint" / "SHA256SUMS").stat().st_mtime_ns
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert (first / "run" / "untrained" / "checkpoint" / "SHA256SUMS").stat().st_mtime_ns == begun, "made once"
    page = (tmp_path / "out" / "study.md").read_text()
    assert "Missing" not in page and "### Variants against first" in page
    rows = (tmp_path / "out" / "study.csv").read_text().splitlines()
    assert len(rows) == 1 + 2 * 4 - 2, "three phases and a further split of each, what is shared once"
    assert sum("heldout_policy" in row for row in rows) == 2
    # Repeat the command on the finished folders.
    capsys.readouterr()
    assert main(command(tmp_path)) == 0
    assert "teller-gym train" not in capsys.readouterr().out.partition("# Study")[0]
    assert (tmp_path / "out" / "study.md").read_text() == page
    scores = [json.loads((folder / "result.json").read_text())["reports"]["sft"]["stages"]["2"]["metrics"]["score"]
              for folder in (first, second)]  # fmt: skip
    assert scores[0] == scores[1], "the reward is another only after fine-tuning"
    assert "sft: done before" in (second / "log.txt").read_text()
