"""The command line: exit codes, one clear message per mistake, and JSON output."""

import errno
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from teller_gym.base.errors import InfrastructureError, StorageError
from teller_gym.cli import COMMANDS, main
from tests.evaluation.stub import ENV_ID

pytestmark = pytest.mark.usefixtures("stub_env")


def mistake(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """Run a command that has to fail, and return its one-line message."""
    assert main(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("teller-gym: ")
    assert err.count("\n") == 1
    return err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name}" in text for name in COMMANDS)
    assert main([]) == 2


@pytest.mark.parametrize("command", ["list", "show", "eval"])
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"examples:\n  teller-gym {command}" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("teller-gym ")


def test_eval_prints_the_table_and_writes_the_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["eval", f"env={ENV_ID}", "agent=good", f"run_dir={tmp_path}", "n=4", "trials=2"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == f"{ENV_ID} · heldout · good · 4 tasks × 2 trials"
    assert "8/8 episodes, mean score 1.000" in err
    assert f"are in {tmp_path}" in err
    names = {file.name for file in tmp_path.iterdir()}
    assert names >= {"run.json", "episodes.jsonl", "times.jsonl", "report.json"}
    assert main(arguments) == 0
    again = capsys.readouterr()
    assert again.out == out
    assert "nothing to do" in again.err
    assert "another configuration" in mistake(capsys, *arguments[:-1], "trials=3")


def test_eval_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", f"env={ENV_ID}", "agent=good", "task_ids=errands-0001", "--json", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["stages"]["2"]["metrics"]["score"]["value"] == 1.0
    assert err == ""


def test_eval_without_one_valid_episode_fails(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["eval", f"env={ENV_ID}", "agent=good", "env.mood=broken"]
    assert main([*options, "n=2", "--quiet"]) == 1
    assert "2 invalid" in capsys.readouterr().out
    assert "5 episodes in a row broke down" in mistake(capsys, *options, "--quiet", code=1)


def test_other_commands_are_handed_their_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def run(argv: list[str]) -> int:
        seen.extend(argv)
        return 1

    monkeypatch.setitem(sys.modules, "teller_gym.proof", SimpleNamespace(run=run))
    assert main(["check", "Teller-Loans-v0", "--json"]) == 1
    assert seen == ["Teller-Loans-v0", "--json"]


def test_failures_and_interruptions_have_codes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(argv: list[str]) -> int:
        raise InfrastructureError("the endpoint\nis gone")

    def interrupted(argv: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "teller_gym.proof", SimpleNamespace(run=broken))
    assert "the endpoint is gone" in mistake(capsys, "check", code=1)
    monkeypatch.setitem(sys.modules, "teller_gym.proof", SimpleNamespace(run=interrupted))
    assert "interrupted" in mistake(capsys, "check", code=130)


def test_a_missing_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def needs(package: str) -> SimpleNamespace:
        def run(argv: list[str]) -> int:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)

        return SimpleNamespace(run=run)

    monkeypatch.setitem(sys.modules, "teller_gym.proof", needs("hydra.core"))
    assert "pip install -e '.[eval]'" in mistake(capsys, "check")
    monkeypatch.setitem(sys.modules, "teller_gym.proof", needs("teller_gym.nonsense"))
    with pytest.raises(ModuleNotFoundError):
        main(["check"])


def test_each_mistake_has_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", f"env={ENV_ID}", "agent=good", "trials=0", "seed=-1", "run_dir="]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.partition(": ")[2].partition(":")[0] for line in err.splitlines()] == ["trials", "seed", "run_dir"]


def test_the_resolved_configuration_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", "env=loans", "agent=expert", "variation=drawn", "trials=4", "--show"]
    assert main(words) == 0
    shown = yaml.safe_load(capsys.readouterr().out)
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == shown
    assert (shown["env"]["id"], shown["env"]["faults"], shown["trials"], shown["seed"]) == (["loans"], 1, 4, 0)


@pytest.mark.parametrize("package", ["hydra", "pydantic"])
def test_eval_without_its_extra_says_what_to_install(
    package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *more: None if name == package else there(name, *more))
    told = mistake(capsys, "eval", "env=loans", "agent=expert")
    assert "of reference agents too" in told
    assert "pip install -e '.[eval]'" in told
    assert main(["list"]) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_under_the_output_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "teller_gym.cli", "list"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert ended.returncode == 4
    assert ended.stderr.count("\n") == 1 and "No space left on device" in ended.stderr


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (StorageError("x cannot be written"), 4, "teller-gym: x cannot be written"),
        (OSError(errno.ENOSPC, "No space left on device", "a/b"), 4, "teller-gym: a/b cannot be written: No space"),
        (OSError(errno.EROFS, "Read-only file system", "a/b"), 4, "make it writable, and the same command continues"),
    ],
)
def test_a_disk_that_takes_nothing_has_its_own_exit_code(
    error: Exception, code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(argv: list[str]) -> int:
        raise error

    monkeypatch.setattr("teller_gym.cli.listing.run", broken)
    assert main(["list"]) == code
    assert told in capsys.readouterr().err


def test_other_errors_of_the_system_are_ours_to_see(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(argv: list[str]) -> int:
        raise FileNotFoundError(errno.ENOENT, "No such file", "a")

    monkeypatch.setattr("teller_gym.cli.listing.run", broken)
    with pytest.raises(FileNotFoundError):
        main(["list"])
