"""Attacks by code: each attempt ends in an error for the agent, and the next run works."""

from __future__ import annotations

import time

import pytest

from tests.office.sandbox.office_files import MemoryFiles, run

pytest.importorskip("pydantic_monty")

SHARED = "a = (1,)\nfor _ in range(60): a = (a, a)\n"
"""A tuple that Python itself would need years to hash."""

BEFORE = "read_csv('/a.csv')\n"

ATTACKS = {
    "file": ("open('/etc/passwd').read()", "PermissionError"),
    "write": ("open('/tmp/x', 'w').write('x')", "PermissionError"),
    "path": ("from pathlib import Path\nPath('/etc/passwd').read_text()", "PermissionError"),
    "path exists": ("from pathlib import Path\nPath('/etc').exists()", "PermissionError"),
    "iterdir": ("from pathlib import Path\nlist(Path('/').iterdir())", "PermissionError"),
    "mkdir": ("from pathlib import Path\nPath('/tmp/x').mkdir()", "PermissionError"),
    "unlink": ("import os\nos.remove('/tmp/x')", "PermissionError"),
    "listdir": ("import os\nos.listdir('/')", "PermissionError"),
    "stat": ("import os\nos.stat('/')", "PermissionError"),
    "chdir": ("import os\nos.chdir('/tmp')", "PermissionError"),
    "environ": ("import os\nos.environ['HOME']", "PermissionError"),
    "getenv": ("import os\nos.getenv('PATH')", "PermissionError"),
    "getenv, shared default": (SHARED + "import os\nos.getenv('x', {a})", "PermissionError"),
    "urandom": ("import os\nos.urandom(8)", "PermissionError"),
    "system": ("import os\nos.system('ls')", "AttributeError"),
    "fork": ("import os\nos.fork()", "AttributeError"),
    "pid": ("import os\nos.getpid()", "AttributeError"),
    "subprocess": ("import subprocess", "ModuleNotFoundError"),
    "socket": ("import socket", "ModuleNotFoundError"),
    "urllib": ("import urllib.request", "ModuleNotFoundError"),
    "ctypes": ("import ctypes", "ModuleNotFoundError"),
    "importlib": ("import importlib", "ModuleNotFoundError"),
    "builtins": ("import builtins", "ModuleNotFoundError"),
    "threads": ("import threading", "ModuleNotFoundError"),
    "pickle": ("import pickle", "ModuleNotFoundError"),
    "own package": ("import teller_gym", "ModuleNotFoundError"),
    "__import__": ("__import__('os')", "NameError"),
    "input": ("input()", "NameError"),
    "subclasses": ("().__class__.__bases__[0].__subclasses__()", "AttributeError"),
    "function globals": ("read_text.__globals__", "AttributeError"),
    "modules": ("import sys\nsys.modules", "AttributeError"),
    "eval a file": ("eval(\"open('/etc/passwd')\")", "PermissionError"),
    "exec a module": ("exec('import socket')", "ModuleNotFoundError"),
    "up and out": ("read_text('/../../etc/passwd')", "ValueError"),
    "not allowed": ("read_text('/Private/x')", "PermissionError"),
    "control character": ("read_text('/a\\x00b')", "ValueError"),
    "path that is none": (SHARED + "read_text({a})", "TypeError"),
    "rows that are none": (SHARED + "write_csv('/x', [{a}])", "TypeError"),
    "cells that are none": (SHARED + "write_csv('/x', [{'x': {a}}])", "TypeError"),
    "the function behind": (SHARED + BEFORE + "_office_('read_text', {a})", "NameError"),
    "the function in another's place": (SHARED + BEFORE + "isinstance = _office_\nread_text({a})", "NameError"),
    "cells of another kind": ("def _cell_(*_): return [1]\nwrite_csv('/x', [['a']], ['b'])", "ValueError"),
    "the function by map": (SHARED + BEFORE + "list(map(_office_, [{a}]))", "NameError"),
    "the function in eval": (SHARED + BEFORE + "eval('_office_({a})')", "NameError"),
    "huge text": ("'a' * 10**12", "MemoryLimit"),
    "huge list": ("[0] * 10**12", "MemoryLimit"),
    "huge integer": ("1 << 10**12", "MemoryLimit"),
    "deep recursion": ("def f(): return f()\nf()", "RecursionError"),
    "deep source": ("(" * 50_000, "SyntaxError"),
    "deep minus": ("-" * 90_000 + "1", "SyntaxError"),
    "many calls": ("while True:\n    try: list_files()\n    except BaseException: pass", "CallLimit"),
    "many names": ("while True:\n    try: nothing\n    except BaseException: pass", "CallLimit"),
    "long code": ("x = 1\n" * 100_000, "CodeLimit"),
    "no text": ("'\ud800'", "SyntaxError"),
    "null": ("x = '\x00'\nsocket", "NameError"),
    "huge error": ("raise ValueError('x' * 10**7)", "ValueError"),
    "exit": ("raise SystemExit", "SystemExit"),
    "interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "odd exception": (SHARED + "raise ValueError({a})", "Unsupported"),
}


@pytest.mark.parametrize(("code", "expected"), ATTACKS.values(), ids=list(ATTACKS))
def test_an_attack_fails_cleanly(code: str, expected: str) -> None:
    files = MemoryFiles()
    before = dict(files.content)
    outcome = run(code, files)
    assert outcome.error is not None, outcome
    assert outcome.error.kind == expected, outcome.error
    assert len(outcome.error.message) <= 1000
    assert "/root" not in outcome.error.message and "site-packages" not in outcome.error.message
    assert files.content == before
    assert run("1 + 1").result == 2


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
    from teller_gym.office.sandbox import RunLimits

    start = time.monotonic()
    error = run(code, limits=RunLimits(seconds=0.3)).error
    # What grows while it runs may meet the limit of memory first, on a quick machine.
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
        run(f"{SHARED}def {name}(*x, **y): return {{a}}\n{BEFORE}list_files()\n[1, 'x']")
        assert run("[1, 'x']").result == [1, "x"]
