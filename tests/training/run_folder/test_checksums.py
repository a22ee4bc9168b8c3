"""Checksums of a folder name its defects, and a trainer continues from its last whole checkpoint."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from teller_gym.training.processes.resume import last_checkpoint
from teller_gym.training.run_folder.checksums import SUMS_FILE, damage, seal, set_aside

CONTENT = {
    "model.safetensors": b"weights" * 9,
    "optimizer.pt": b"moments" * 9,
    "inner/rng_state.pth": b"\1\2",
    "a": b"",
}
"""Files of a checkpoint."""

HARMS: dict[str, Callable[[Path], object]] = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "emptied": lambda path: path.write_bytes(b""),
    "zeroed": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\n"),
    "removed": lambda path: path.unlink(),
    "a folder": lambda path: path.rename(path.with_name("moved")).parent.joinpath(path.name).mkdir(),
}


def made(folder: Path) -> Path:
    for name, content in CONTENT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    seal(folder)
    return folder


def test_a_sealed_folder_is_whole_and_more_files_do_no_harm(tmp_path: Path) -> None:
    folder = made(tmp_path / "checkpoint-2")
    assert damage(folder) is None
    (folder / "notes.txt").write_text("mine")
    assert damage(folder) is None
    lines = (folder / SUMS_FILE).read_text().splitlines()
    assert f"{hashlib.sha256(CONTENT['optimizer.pt']).hexdigest()}  optimizer.pt" in lines
    assert len(lines) == len(CONTENT) + 1


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("name", [name for name in CONTENT if CONTENT[name]])
def test_what_is_damaged_is_named(tmp_path: Path, name: str, harm: str) -> None:
    folder = made(tmp_path / "checkpoint-2")
    HARMS[harm](folder / name)
    told = damage(folder)
    assert told is not None and told.startswith(name)
    assert told.endswith("missing" if harm == "removed" else "Is a directory" if harm == "a folder" else "damaged")


def test_every_loss_of_the_list_itself_is_seen(tmp_path: Path) -> None:
    folder = made(tmp_path / "checkpoint-2")
    whole = (folder / SUMS_FILE).read_bytes()
    for size in range(len(whole) - 1):
        (folder / SUMS_FILE).write_bytes(whole[:size])
        assert damage(folder) is not None
    for torn in (bytes(len(whole)), b"\xff" + whole, b"[" * 100_000):
        (folder / SUMS_FILE).write_bytes(torn)
        assert damage(folder) in (f"{SUMS_FILE} is damaged", f"{SUMS_FILE} cannot be read")
    (folder / SUMS_FILE).unlink()
    assert damage(folder) == "it was not saved whole"


def test_the_last_whole_checkpoint_is_taken_and_the_dropped_ones_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert last_checkpoint(tmp_path / "nowhere", "sft") is None
    for step in (90, 100, 110, 120):
        made(tmp_path / f"checkpoint-{step}")
    (tmp_path / "checkpoint-120" / "optimizer.pt").unlink()
    (tmp_path / "checkpoint-110" / SUMS_FILE).unlink()
    for other in ("checkpoint-best", "other"):
        (tmp_path / other).mkdir()
    assert last_checkpoint(tmp_path, "sft") == tmp_path / "checkpoint-100"
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "sft: checkpoint-120 is dropped (optimizer.pt is missing), checkpoint-110 is dropped (it was not saved whole); "
        "goes on from checkpoint-100"
    ]
    left = {"checkpoint-90", "checkpoint-100", "checkpoint-best", "other"}
    assert {path.name for path in tmp_path.iterdir()} == left
    assert last_checkpoint(tmp_path, "sft") == tmp_path / "checkpoint-100"
    assert capsys.readouterr().err == ""


def test_without_a_whole_checkpoint_a_phase_begins_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(made(tmp_path / "checkpoint-8") / "inner")
    assert last_checkpoint(tmp_path, "grpo") is None
    assert capsys.readouterr().err == "grpo: checkpoint-8 is dropped (inner/rng_state.pth is missing); begins anew\n"


def test_what_is_set_aside_replaces_what_was(tmp_path: Path) -> None:
    for text in ("first", "second"):
        folder = tmp_path / "checkpoint"
        folder.mkdir()
        (folder / "config.json").write_text(text)
        assert set_aside(folder) == tmp_path / "checkpoint.damaged"
        assert not folder.exists()
    assert (tmp_path / "checkpoint.damaged" / "config.json").read_text() == "second"
