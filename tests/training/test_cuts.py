"""Trainings that are killed, run out of disk or find damaged files: the same command ends with the same result."""

import json
import os
import random
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.files import FolderLock
from teller_gym.cli.exit_codes import STORAGE, USAGE
from teller_gym.training import recipe
from teller_gym.training.phases.registry import PHASES
from teller_gym.training.run_folder import progress
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.run_records import evaluations
from tests.training.pair import forked
from tests.training.small import copied, run

pytestmark = pytest.mark.training

TIMED = ("seconds", "time", "phase_seconds")


def outcome(folder: Path) -> dict[str, Any]:
    """Return everything that a run results in, except times."""
    rows = [
        {key: value for key, value in row.items() if not any(word in key for word in TIMED)}
        for row in MetricsLog(folder / "metrics.jsonl").rows()
        if "phase_seconds" not in row
    ]
    found = [
        *folder.glob("data/*.jsonl"),
        *folder.glob("grpo/transcripts.jsonl"),
        *(path for p in PHASES for path in folder.glob(f"{p.name}/checkpoint/model.safetensors")),
    ]
    files = [str(path.relative_to(folder)) for path in found]
    reports = json.loads((folder / "result.json").read_text())["reports"]
    metrics = {name: report["stages"]["2"]["metrics"] for name, report in reports.items()}
    return {"rows": rows, "metrics": metrics} | {name: (folder / name).read_bytes() for name in files}


def killed(folder: Path, place: int, *more: str) -> int | None:
    """Run in a process that is killed at its n-th access to the folder; return its exit code, None if it was killed."""

    def work() -> int:
        left = place

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            if event in ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate"):
                left -= str(arguments[0]).startswith(str(folder))
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        return run(folder, *more)

    code = forked(work)
    assert code >= 0 or code == -signal.SIGKILL, "it hung"
    return None if code < 0 else code


def test_kills_anywhere_change_nothing(finished: Path, tmp_path: Path) -> None:
    """After a failed command with other settings, kill the run at many accesses to its folder."""
    folder = tmp_path / "killed"
    assert run(folder, "seed=1", "model.name=/nowhere") == USAGE
    draw = random.Random(0)
    # At the beginning, then anywhere; each process gets further than the one before.
    kills = 0
    for place in (1, 3, 8, *(draw.randrange(30, 160) for _ in range(40))):
        code = killed(folder, place)
        if code is not None:
            break
        kills += 1
    assert code == 0 and kills >= 6
    assert outcome(folder) == outcome(finished)


def test_what_is_damaged_is_told_and_made_again(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(finished, tmp_path / "damaged")
    half(folder / "data" / "expert.jsonl")
    half(folder / "sft" / "checkpoint" / "model.safetensors")
    tokenizer = folder / "grpo" / "checkpoint" / "tokenizer.json"
    tokenizer.write_bytes(bytes(tokenizer.stat().st_size))
    (folder / "untrained" / "checkpoint" / "config.json").unlink()
    with (folder / "metrics.jsonl").open("ab") as file:
        file.write(b'\x00\x00\n{"step": "x"}\n{"phase": "sft", "st')
    assert run(folder) == 0
    told = capsys.readouterr().err
    for line in (
        f"{folder}/metrics.jsonl: lines 13, 14 are damaged and dropped",
        f"data: {folder}/data/expert.jsonl is not whole (expert.jsonl is damaged); it is kept as expert.jsonl.damaged, "
        "and made again",
        f"untrained: {folder}/untrained/checkpoint is not whole (config.json is missing); it is kept as "
        "checkpoint.damaged, and made again",
        f"sft: {folder}/sft/checkpoint is not whole (model.safetensors is damaged); it is kept as checkpoint.damaged, "
        "and made again",
        f"grpo: {folder}/grpo/checkpoint is not whole (tokenizer.json is damaged); it is kept as checkpoint.damaged, "
        "and made again",
    ):
        assert line in told.splitlines()
    assert outcome(folder) == outcome(finished)
    phases = [row["phase"] for row in MetricsLog(folder / "metrics.jsonl").rows() if "phase_seconds" in row]
    assert sorted(phases) == ["data", "grpo", "sft", "untrained"]


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def test_a_folder_in_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = FolderLock(tmp_path, "run_dir")
    assert run(tmp_path) == USAGE
    assert f"run_dir {tmp_path}: another process is writing to it" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock"]
    lock.close()


@contextmanager
def no_room(line: str, size: int) -> Iterator[None]:
    """After a printed line, let the writing of larger files fail in every library, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    tell = progress.tell

    def limited(text: str) -> None:
        tell(text)
        if text == line:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    with pytest.MonkeyPatch.context() as patch:
        for module in (recipe, evaluations):
            patch.setattr(module, "tell", limited)
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    ("begins", "size", "lacking", "named", "safe"),
    [
        ("data …", 100, ["data", "untrained", "sft", "grpo"], "data", "nothing is finished yet"),
        ("untrained …", 9_000, ["untrained", "sft", "grpo"], "untrained", "safe: data"),
        ("evaluation of untrained …", 0, ["untrained/evaluation"], "untrained/evaluation", "nothing was played"),
        ("sft …", 9_000, ["sft", "grpo"], "sft", "safe: data, untrained"),
        ("sft …", 1_000_000, ["sft", "grpo"], "sft", "safe: data, untrained"),
        ("grpo …", 0, ["grpo"], "grpo", "safe: data, untrained, sft"),
    ],
)
def test_a_disk_without_room_is_one_line_and_the_same_command_goes_on(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    begins: str, size: int, lacking: list[str], named: str, safe: str,
) -> None:  # fmt: skip
    folder = copied(finished, tmp_path / "full", "metrics.jsonl", *lacking)
    with no_room(begins, size):
        assert run(folder) == STORAGE
    told = capsys.readouterr().err
    assert "Traceback" not in told
    [line] = [line for line in told.splitlines() if line.startswith("teller-gym:")]
    assert told.rstrip().endswith(line) and "cannot be written" in line and safe in line
    assert str(folder / named) in line and line.endswith("and the same command continues")
    if size == 1_000_000:
        assert run(folder) == 0
        assert outcome(folder) == outcome(finished)
