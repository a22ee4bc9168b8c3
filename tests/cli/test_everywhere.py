"""Every command works with limited encodings and without the parts of Python that Windows lacks."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.output import json_for

ROOT = Path(__file__).resolve().parents[2]


def ran(folder: Path, encoding: str, *options: str) -> tuple[dict[str, Any], str, str]:
    """Run every command in a child process; return those with a wrong exit code, stdout and stderr."""
    own = {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "tests.cli.every_command", str(folder), *options]
    done = subprocess.run(
        command, env=os.environ | own, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    out, errors = (text.decode(encoding) for text in (done.stdout, done.stderr))
    assert done.returncode == 0, errors[-3000:]
    return json.loads((folder / "wrong.json").read_text("utf-8")), out, errors


@pytest.mark.slow
def test_every_command_works_with_few_characters_and_without_what_windows_lacks(tmp_path: Path) -> None:
    wrong, out, errors = ran(tmp_path, "cp1252", "--without")
    assert not wrong and "Traceback" not in errors
    # Samples of the output, some with characters that the encoding lacks.
    assert "usage: teller-gym COMMAND" in out and "mean score" in errors
    assert "teller-gym: " in errors and "löans" in errors


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_what_an_encoding_lacks_is_replaced_letter_by_letter(encoding: str) -> None:
    code = (
        "from teller_gym.base.output import take_any_text as take; import sys; take();"
        r"print('\u2212\u2026\xe9\u0416\ud800', file=sys.stderr); print('\u2212\u2026\xe9\u0416\ud800\udcff')"
    )
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    expected = {"ascii": b"-.???", "cp1252": b"-\x85\xe9??", "utf-8": "−…éЖ?".encode()}[encoding]
    assert done.stderr.strip() == expected and done.stdout.strip() == expected + b"\xff"


def test_json_keeps_its_meaning_in_any_encoding() -> None:
    class Stream:
        encoding = "ascii"

    value = {"größe": "−1 … \U0001f600 \ud800"}
    text = json.dumps(value, ensure_ascii=False)
    written = json_for(Stream(), text)
    assert written.isascii() and json.loads(written) == value
    Stream.encoding = "utf-8"
    assert json_for(Stream(), '"−"') == '"−"'


def packages() -> list[Path]:
    folders = ("teller_gym", "envs", "scenarios", "training", "examples", "benchmarks")
    return sorted({path.resolve() for folder in folders for path in (ROOT / folder).rglob("*.py")})


def test_files_are_read_and_written_in_utf_8_whatever_the_machine_speaks() -> None:
    """Check that every call that opens text specifies the encoding, since the default differs on Windows."""
    wrong = []
    for path in packages():
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and _opens_text(node) and not _says_encoding(node):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)[:60]}")
    assert not wrong


_OPENERS = {"open", "read_text", "write_text", "fdopen", "NamedTemporaryFile", "TemporaryFile", "TextIOWrapper"}


def _opens_text(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("run", "Popen", "check_output"):
        return any(one.arg in ("text", "universal_newlines") for one in call.keywords)
    if name in ("read_text", "write_text") and not isinstance(call.func, ast.Attribute):
        return False  # a function of this package
    if name not in _OPENERS or ast.unparse(call.func) in ("os.open", "webbrowser.open"):
        return False
    if name in ("NamedTemporaryFile", "TemporaryFile") and not call.args:
        return False  # binary by default
    modes = [one for one in [*call.args, *(word.value for word in call.keywords)] if isinstance(one, ast.Constant)]
    binary = any(isinstance(one.value, str) and "b" in one.value and len(one.value) <= 3 for one in modes)
    if name == "open" and isinstance(call.func, ast.Attribute) and not modes and call.args:
        return False  # a method of another class, such as a journal
    return not binary


def _says_encoding(call: ast.Call) -> bool:
    positional = any(isinstance(one, ast.Constant) and one.value == "utf-8" for one in call.args)
    # Methods of this package with these names take neither mode nor encoding.
    own = isinstance(call.func, ast.Attribute) and call.func.attr in ("open", "read_text") and len(call.args) >= 2
    return positional or own or any(one.arg == "encoding" for one in call.keywords)
