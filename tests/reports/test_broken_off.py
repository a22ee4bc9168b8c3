"""After an interruption at any file, the same call writes the pages again and accepts its own folder."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError, StorageError
from teller_gym.evaluation import evaluate
from teller_gym.reports import write_report
from teller_gym.viewer import write_view
from tests.faulty_disk import Killed, faulty_disk

pytestmark = pytest.mark.usefixtures("no_figures")

Write = Callable[[Path, Path], Path]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    evaluate("always_deny", "Teller-Loans-v0", "validation", n=1, run_dir=folder, progress=False)
    return folder


def view(run: Path, out: Path) -> Path:
    return write_view([run], out)


def report(run: Path, out: Path) -> Path:
    return write_report([run], out)


def contents(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.mark.parametrize("number", [None, errno.ENOSPC], ids=["killed", "full"])
@pytest.mark.parametrize(("write", "step", "least"), [(view, 11, 60), (report, 97, 100)], ids=["view", "report"])
def test_broken_off_anywhere(
    run: Path, tmp_path: Path, write: Write, step: int, least: int, number: int | None
) -> None:
    write(run, tmp_path / "whole")
    whole = contents(tmp_path / "whole")
    out = tmp_path / "out"
    for place in range(0, 2000, step):
        # The folder contains the remains of the previous attempt, or complete pages.
        with faulty_disk(place, number, lasting=True) as disk:
            try:
                write(run, out)
            except Killed:
                pass
            except StorageError as error:
                assert "the runs are as they were; make room" in str(error)
        if place % 2:
            write(run, out)
            assert contents(out) == whole
        if not disk.reached:
            assert place > least
            assert contents(out) == whole
            return
    pytest.fail("more is asked than was tried")


@pytest.mark.parametrize("write", [view, report])
def test_a_folder_of_somebody_else_is_left_alone(run: Path, tmp_path: Path, write: Write) -> None:
    (tmp_path / "index.html.part.txt").write_text("mine")
    with pytest.raises(OptionError, match="name another folder"):
        write(run, tmp_path)
    assert contents(tmp_path) == {"index.html.part.txt": b"mine"}
