"""Malicious code gets an error, and does not affect the next run."""

import time
from pathlib import Path

import pytest
import yaml

from teller_gym.office.sandbox import RunLimits
from tests.office.sandbox.office_files import MemoryFiles, run

pytest.importorskip("pydantic_monty")

SHARED = "a = (1,)\nfor _ in range(60): a = (a, a)\n"
"""Code for a tuple that would take Python years to hash."""

BEFORE = "read_csv('/a.csv')\n"

ATTACKS = {
    **yaml.safe_load(Path(__file__).with_name("attacks.yaml").read_text(encoding="utf-8")),
    "deep source": ("(" * 50_000, "SyntaxError"),
    "deep minus": ("-" * 90_000 + "1", "SyntaxError"),
    "long code": ("x = 1\n" * 100_000, "CodeLimit"),
    "no text": ("'\ud800'", "SyntaxError"),
    "null": ("x = '\x00'\nsocket", "NameError"),
}


@pytest.mark.parametrize(("code", "expected"), ATTACKS.values(), ids=list(ATTACKS))
def test_an_attack_fails_cleanly(code: str, expected: str) -> None:
    files = MemoryFiles()
    before = dict(files.content)
    outcome = run(code.replace("{shared}", SHARED), files)
    assert outcome.error is not None, outcome
    assert outcome.error.kind == expected, outcome.error
    assert len(outcome.error.message) <= 1000
    assert "/root" not in outcome.error.message and "site-packages" not in outcome.error.message
    assert files.content == before


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "len(str(3 ** (10**7)))",
        "x = [1]\nfor _ in range(50): x = [x, x]\nstr(x)",
        SHARED + "{a: 1}",
    ],
    ids=["loop", "caught", "one operation", "shared lists", "shared key in the result"],
)
def test_a_run_without_end_is_ended(code: str) -> None:
    start = time.monotonic()
    error = run(code, limits=RunLimits(seconds=0.1)).error
    # On a fast machine, code that allocates memory may reach the memory limit first.
    grows = "(a, a)" in code or "[x, x]" in code
    assert error is not None and error.kind in ("TimeLimit", *(("MemoryLimit",) if grows else ())), error
    assert time.monotonic() - start < 15
    assert run("1 + 1").result == 2


def test_a_result_that_holds_itself_many_times_is_cut() -> None:
    for last in ("a", "{a}", "[a, {a}]", "{'x': a}"):
        outcome = run(SHARED + last)
        assert outcome.error is None, outcome.error
        assert outcome.result_truncated and len(outcome.result) == 20_000


def test_names_that_code_takes_over_harm_nobody_else() -> None:
    for name in ("isinstance", "json", "_json_", "_office_"):
        run(f"{SHARED}def {name}(*x, **y): return {{a}}\n{BEFORE}list_files()\n[1, 'x']", limits=RunLimits(seconds=0.3))
        assert run("[1, 'x']").result == [1, "x"]
