import multiprocessing
import os
import subprocess
import sys
import threading
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import InfrastructureError, MissingExtraError
from teller_gym.office.sandbox import RunLimits, run_python
from teller_gym.office.sandbox.faults import advice
from tests.office.sandbox.office_files import NOW, MemoryFiles, kind, run

pytest.importorskip("pydantic_monty")


def test_a_file_is_read_worked_on_and_written() -> None:
    files = MemoryFiles()
    code = """
from decimal import Decimal
rows = read_csv("/a.csv")
for row in rows:
    row["cents"] = int(Decimal(row["amount"].replace(".", "").replace(",", ".")) * 100)
write_csv("/b.csv", rows)
write_text("/c.txt", read_text("/b.csv"))
print(list_files())
rows
"""
    outcome = run(code, files)
    assert outcome.error is None
    assert outcome.result == [{"name": "Okafor", "amount": "1.200,50", "cents": 120050}]
    assert outcome.printed == "['/a.csv', '/b.csv', '/c.txt']\n"
    assert files.content["/b.csv"] == files.content["/c.txt"] == b'name,amount,cents\nOkafor,"1.200,50",120050\n'


def test_what_files_raise_can_be_caught_or_ends_the_run() -> None:
    assert run("try: read_text('/x')\nexcept FileNotFoundError as e: print(e)").printed == "no file at /x\n"
    assert run("try: read_text('/Private/x')\nexcept OSError as e: print(e)").printed == "/Private/x is not yours\n"
    error = run("x = 1\nread_csv('/x')").error
    assert error is not None and (error.kind, error.line) == ("FileNotFoundError", 2)


def test_a_fault_of_the_office_is_raised_even_if_code_catches_it() -> None:
    with pytest.raises(ZeroDivisionError, match="of the office"):
        run("try: read_text('/broken')\nexcept BaseException: pass\nlist_files()")
    assert run("1").result == 1


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("x = 1", None),
        ("x = 1\nx; ", 1),
        ("'é' + \\\n  'ü'  # é", "éü"),
        ("(1,\r\n 'é')", [1, "é"]),
        ("from decimal import Decimal\n{Decimal('1.10'), Decimal(2)}", ["1.10", "2"]),
        ("[float('nan'), True, None, b'x', {1: (2,)}, 1.5]", ["nan", True, None, "x", {"1": [2]}, 1.5]),
        ("import datetime\ndatetime.datetime.now()", "2026-03-02T09:30:00"),
        ("import datetime\ndatetime.date.today()", "2026-03-02"),
        ("import time\ntime.sleep(100)\ntime.perf_counter() - time.perf_counter()", 0),
        ("[10**5000]", ["an integer of more digits than can be written"]),
        ("async def f(): return 1\nawait f()", 1),
    ],
)
def test_results_are_json(code: str, result: object) -> None:
    outcome = run(code)
    assert (outcome.error, outcome.result) == (None, result)


def test_output_is_cut() -> None:
    outcome = run("for i in range(10): print('x' * 9)\n'y' * 99", limits=RunLimits(output=50))
    assert outcome.printed == ("x" * 9 + "\n") * 5 and outcome.printed_truncated
    assert outcome.result == '"' + "y" * 49 and outcome.result_truncated


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("class A: pass\nclass B(A): pass", ("class inheritance", "without a base class")),
        ("def f():\n  yield 1", ("generators", "list")),
        ("class A:\n  @property\n  def x(self): return 1", ("@property", "ordinary method")),
        ("x = 1\ndel x", ("del statement", "pop")),
        ("from math import *", ("import *", "names that you need")),
        ("type X = int", ("type statement",)),
        ("try: 1\nexcept* ValueError: 2", ("exception groups", "except")),
    ],
)
def test_a_missing_feature_is_named_with_what_to_do(code: str, words: tuple[str, ...]) -> None:
    error = run(code).error
    assert error is not None and error.kind == "Unsupported" and error.line, error
    assert all(word in error.message for word in words), error.message
    assert "monty" not in error.message


def test_import_errors_name_the_modules_and_these_are_there() -> None:
    error = run("import pandas").error
    assert error is not None and "read_csv" in error.message and "decimal" in error.message
    assert run("\n".join(f"import {name}" for name in advice().modules)).error is None
    for name in sorted(set(sys.stdlib_module_names) - set(advice().modules) - {"typing_extensions"}):
        if name in advice().instead_of_module:
            assert kind(f"import {name}") == "ModuleNotFoundError", name


def test_clock_and_random_are_the_callers() -> None:
    code = "import datetime, random\n[str(datetime.datetime.now()), random.random(), random.Random().random()]"
    first = run_python(code, MemoryFiles(), now=datetime(2026, 1, 1), seed=1).result
    assert first[0] == "2026-01-01 00:00:00"
    assert run_python(code, MemoryFiles(), now=datetime(2026, 1, 1), seed=2).result[1] != first[1]


CODE = (
    "import random\nprint({'a', 'b', 'c', 'd'}, hash('x'), id([]), lambda: 1)\n"
    "class A: pass\n[str(A()), random.random()]"
)


def _other(pipe: object) -> None:
    try:
        run(CODE)
    except InfrastructureError as error:
        pipe.send(str(error))  # type: ignore[attr-defined]
    os._exit(0)


def test_a_run_is_the_same_in_any_order_thread_and_process() -> None:
    expected = run(CODE)
    assert expected.error is None
    run("import random\nrandom.seed(5)\nx = [1] * 1000\nwhile True: pass", limits=RunLimits(seconds=0.1))
    assert run(CODE) == expected
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(run(CODE))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
    program = "from tests.office.sandbox.test_execution import *; print(repr(run(CODE)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == repr(expected)


def test_a_forked_process_is_told_and_its_parent_goes_on() -> None:
    run("1")
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=_other, args=(theirs,), daemon=True)
    child.start()
    assert ours.poll(10)
    assert "spawn" in ours.recv()
    child.join(10)
    assert run("1").result == 1


def _children() -> int:
    return sum(len(one.read_text().split()) for one in Path("/proc/self/task").glob("*/children"))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_many_runs_leave_nothing_behind() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    for _ in range(10):
        run("read_csv('/a.csv')")
    processes, memory, open_files = _children(), resident(), len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        assert run("read_csv('/a.csv')").error is None
    assert _children() <= processes + 1
    assert len(os.listdir("/proc/self/fd")) <= open_files + 8
    assert resident() - memory < 3 * 1024 * 1024


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=60) | st.lists(st.sampled_from("x=1 \n()[]{}'\"+:,def").map(str), max_size=30).map("".join))
def test_any_text_is_run_without_raising(code: str) -> None:
    assert run(code, limits=RunLimits(seconds=1)) == run(code, limits=RunLimits(seconds=1))


def test_the_package_does_not_import_the_interpreter_and_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import sys, teller_gym.office.sandbox; sys.exit('pydantic_monty' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
    from teller_gym.office.sandbox import pool

    pool.close()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pydantic_monty", None)
        with pytest.raises(MissingExtraError, match=r"pip install .*\[office\]'"):
            run_python("1", MemoryFiles(), now=NOW)
    assert run("1").result == 1


def test_files_have_limits() -> None:
    limits = RunLimits(file_bytes=10, moved_bytes=15)
    assert kind("write_text('/x', 'a' * 11)", limits) == "OSError"
    assert kind("write_text('/x', 'a' * 10)\nread_text('/x')", limits) == "OSError"
