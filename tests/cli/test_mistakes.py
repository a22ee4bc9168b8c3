"""Every mistake on the command line is reported in one line, with exit code 2, before anything is written."""

import shlex
from pathlib import Path

import pytest
import yaml

from teller_gym.cli import main
from teller_gym.office.serving.journal import FILE

TABLE = yaml.safe_load(Path(__file__).with_name("mistakes.yaml").read_text("utf-8"))
MISTAKES = [(command, words, told) for command, rows in TABLE.items() for words, told in rows]


@pytest.mark.parametrize(
    ("command", "words", "told"), MISTAKES, ids=[f"{command} {words}" for command, words, _ in MISTAKES]
)
def test_a_mistake_is_told_in_a_line(
    command: str, words: str, told: str, run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (tmp_path / "card_limits").mkdir()
    (tmp_path / "done").touch()
    (tmp_path / FILE).write_text("mine" * 200)
    monkeypatch.chdir(tmp_path)
    words = words.replace("{run}", run).replace("{tmp}", str(tmp_path)).replace("{long}", "x" * 300)
    arguments = words.split() if command == "eval" else shlex.split(words)
    assert main(arguments if command == "program" else [command, *arguments]) == 2
    out, err = capsys.readouterr()
    *others, last = err.splitlines()
    assert out == "" and last.startswith("teller-gym") and told in last, err
    assert not others or command in ("check", "office")  # which print a warning, or each checked environment
    assert {path.name for path in tmp_path.iterdir()} - {".lock"} == {"card_limits", "done", FILE}
    assert "opper-v" not in err  # no foreign environment, such as Hopper, is suggested
