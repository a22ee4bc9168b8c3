"""A run continues with the same command after the process was killed or the disk failed at any system call."""

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError, StorageError
from teller_gym.evaluation import evaluate
from teller_gym.evaluation.records.reading import load_run
from teller_gym.evaluation.records.run_folder import RunFolder
from teller_gym.evaluation.runs.regrade import regrade
from tests.evaluation.stub import ENV_ID
from tests.faulty_disk import Killed, faulty_disk

pytestmark = pytest.mark.usefixtures("stub_env")

N = 2
MOST = 200
"""More system calls than any test makes."""
LASTING = [errno.ENOSPC, errno.EDQUOT, errno.EROFS]
ERRORS = [*LASTING, errno.EACCES, errno.EIO]


def play(run: Path) -> None:
    evaluate("good", ENV_ID, n=N, run_dir=run, progress=False)


def contents(run: Path) -> dict[str, Any]:
    """Return the reproducible part of a run folder."""
    report = json.loads((run / "report.json").read_bytes())
    report.pop("wall_s")
    names = {file.name for file in run.iterdir()} - {".lock", "times.jsonl", "provenance.jsonl", "report.json"}
    return {"report.json": report, **{name: (run / name).read_bytes() for name in sorted(names)}}


@pytest.fixture
def undisturbed(tmp_path: Path) -> dict[str, Any]:
    play(tmp_path / "undisturbed")
    found = contents(tmp_path / "undisturbed")
    assert set(found) == {"run.json", "episodes.jsonl", "report.json"}
    return found


def everywhere(attempt: Callable[[int], bool], step: int = 1) -> int:
    """Call `attempt` for every `step`-th system call until one is not reached; return the number reached."""
    for place in range(0, MOST, step):
        if not attempt(place):
            return place
    raise AssertionError("more is asked than was tried")


def nothing(run: Path) -> None:
    """Start without a folder."""


def half_played(run: Path) -> None:
    """Start with the folder of a run that was killed in the middle of a line."""
    shutil.copytree(run.parent / "undisturbed", run)
    lines = (run / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    (run / "episodes.jsonl").write_bytes(lines[0] + lines[1][:100])
    (run / "times.jsonl").write_bytes(b'{"task_id')
    (run / "report.json").unlink()
    (run / "report.json.part").write_bytes(b"{")


def without_last_end(run: Path) -> None:
    """Start with a last line that lacks its newline."""
    shutil.copytree(run.parent / "undisturbed", run)
    (run / "episodes.jsonl").write_bytes((run / "episodes.jsonl").read_bytes()[:-1])


BEGINNINGS = [nothing, half_played, without_last_end]


@pytest.mark.parametrize("begin", BEGINNINGS)
def test_killed_anywhere_it_goes_on(tmp_path: Path, undisturbed: dict[str, Any], begin: Callable[[Path], None]) -> None:
    def attempt(place: int) -> bool:
        run = tmp_path / f"run{place}"
        begin(run)
        with faulty_disk(place, None) as disk:
            try:
                play(run)
            except Killed:
                assert disk.reached
        play(run)
        assert contents(run) == undisturbed, place
        return disk.reached

    assert everywhere(attempt) > (40 if begin is nothing else 10)


@pytest.mark.parametrize(
    ("begin", "number"),
    [*((nothing, number) for number in ERRORS), (half_played, errno.ENOSPC), (half_played, errno.EIO)],
)
def test_a_disk_that_fails_anywhere_is_told_in_a_line(
    tmp_path: Path, undisturbed: dict[str, Any], begin: Callable[[Path], None], number: int
) -> None:
    told = []

    def attempt(place: int) -> bool:
        run = tmp_path / f"run{place}"
        begin(run)
        before = load_run(run)[1] if begin is not nothing else []
        with faulty_disk(place, number, lasting=number in LASTING) as disk:
            try:
                play(run)
            except (StorageError, OptionError) as error:
                told.append(error)
                assert disk.reached and os.strerror(number) in str(error) and "\n" not in str(error)
        if before:
            assert [one for one in load_run(run)[1] if one in before] == before, "what was finished is lost"
        play(run)
        assert contents(run) == undisturbed, place
        return disk.reached

    step = 1 if number == errno.ENOSPC else 7  # other errors are handled in the same places
    assert everywhere(attempt, step) > 10
    said = [str(error) for error in told if isinstance(error, StorageError)]
    assert any("the same command continues" in text for text in said)
    if number == errno.ENOSPC and begin is nothing:
        assert list(dict.fromkeys(text.split("; ")[1] for text in said)) == [
            "nothing was played or lost",
            "no episode was finished before",
            "the 1 episode before is safe",
            "every episode is safe",
        ]


def test_after_a_line_that_failed_nothing_more_is_written(tmp_path: Path) -> None:
    """A further episode would be appended to the partial line."""
    play(tmp_path)
    config, episodes, times = load_run(tmp_path)
    (tmp_path / "episodes.jsonl").unlink()
    with RunFolder(tmp_path, config) as folder:
        one, other = (times[(episode["task_id"], 0)] for episode in episodes[:2])
        with faulty_disk(5, errno.EIO), pytest.raises(StorageError):
            folder.append(episodes[0], one)
        before = (tmp_path / "episodes.jsonl").read_bytes()
        with pytest.raises(StorageError, match="Input/output error"):
            folder.append(episodes[1], other)
        assert (tmp_path / "episodes.jsonl").read_bytes() == before
        assert folder.episodes == {}


@pytest.mark.parametrize("number", [None, errno.ENOSPC], ids=["killed", "full"])
def test_regrading_into_a_folder_goes_on(tmp_path: Path, number: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # to use the real tasks
    run = tmp_path / "run"
    evaluate("always_deny", "Teller-Loans-v0", "validation", n=1, run_dir=run, progress=False)
    regrade(run, out=tmp_path / "whole")
    whole = contents(tmp_path / "whole")

    def attempt(place: int) -> bool:
        out = tmp_path / f"out{place}"
        with faulty_disk(place, number, lasting=True) as disk:
            try:
                regrade(run, out=out)
            except (Killed, StorageError, OptionError):
                assert disk.reached
        if disk.reached and not (out / "report.json").exists():
            regrade(run, out=out)
        assert contents(out) == whole
        with pytest.raises(OptionError, match="holds a run already"):
            regrade(run, out=out)
        return disk.reached

    assert everywhere(attempt, 3) > 20


def test_regrading_writes_over_no_other_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for name, agent in (("run", "always_deny"), ("other", "expert")):
        evaluate(agent, "Teller-Loans-v0", "validation", n=N, run_dir=tmp_path / name, progress=False)
    (tmp_path / "other" / "report.json").unlink()
    before = (tmp_path / "other" / "episodes.jsonl").read_bytes()
    with pytest.raises(OptionError, match="holds another run already"):
        regrade(tmp_path / "run", out=tmp_path / "other")
    assert (tmp_path / "other" / "episodes.jsonl").read_bytes() == before
