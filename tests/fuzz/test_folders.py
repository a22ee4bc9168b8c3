"""Damaged run folders: after any damage, all commands accept the same episodes, and none crashes."""

import json
import logging
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.evaluation import Report, evaluate
from teller_gym.evaluation.records.run_folder import load_run, read_lines
from teller_gym.evaluation.runs.players import resolve
from teller_gym.evaluation.runs.regrade import regrade
from teller_gym.evaluation.runs.run import load_report
from teller_gym.reports import read_study
from teller_gym.viewer import write_view
from tests.fuzz.effort import examples

ENVS = ("Teller-Loans-v0", "Teller-LoansGraph-v0")
N = 2
FILES = ("run.json", "episodes.jsonl", "times.jsonl", "provenance.jsonl", "report.json")
EXTREMES: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 10**300, -0.0, 1e308, 5e-324, "", "\ud800", "\0\x1b[2J\u2028", "../../x", "1", [], {},
    [[]], {"a": {}}, [None], float("nan"), float("inf"), json.loads("[" * 150 + "]" * 150), "invalid", "finished",
)  # fmt: skip

attacks = settings(
    max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, *HealthCheck]
)


def fallible(env: Any) -> Any:
    """Return an agent that makes many kinds of mistakes, for either stage."""
    stage = getattr(env.unwrapped, "stage", 2)
    return resolve("lexical" if stage == 1 else "always_deny").make(env)


def play(run: Path) -> Report:
    return evaluate(fallible, ENVS, "validation", n=N, run_dir=run, progress=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("whole") / "run"
    play(run)
    return run


@pytest.fixture
def quiet() -> Iterator[None]:
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def damaged_bytes(draw: random.Random, content: bytes) -> bytes:
    """Damage a file in a way that a crash, a disk, an editor or a mistake could."""
    start, end = sorted(draw.randrange(len(content) + 1) for _ in range(2))
    lines = content.splitlines(keepends=True)
    one = draw.randrange(len(lines))
    return draw.choice(
        [
            content[:start],
            content[end:],
            content[:start] + content[end:],
            content[:start] + b"\0" * (end - start) + content[end:],
            content[:start] + draw.randbytes(draw.randrange(1, 20)) + content[start:],
            content[:start] + bytes([draw.randrange(256)]) + content[start + 1 :],
            content.replace(b"\n", b"\r\n"),
            b"\xef\xbb\xbf" + content,
            content + content[start:end],
            b"".join([*lines[: one + 1], lines[one], *lines[one + 1 :]]),
            b"".join(lines[:one] + lines[one + 1 :]),
            b"".join(draw.sample(lines, len(lines))),
            b"".join([*lines[:one], b"[" * 10_000 + b"]" * 10_000 + b"\n", *lines[one:]]),
            content[:-1],
            b"",
        ]
    )


def damaged_value(draw: random.Random, value: Any) -> Any:
    """Change, remove or rename one value at any depth."""
    if isinstance(value, dict) and value and draw.random() < 0.9:
        name = draw.choice(list(value))
        kind = draw.random()
        if kind < 0.1:
            return {other: inner for other, inner in value.items() if other != name}
        if kind < 0.15:
            return {**value, draw.choice(["", "x", "constructor"]): draw.choice(EXTREMES)}
        return {**value, name: damaged_value(draw, value[name])}
    if isinstance(value, list) and value and draw.random() < 0.8:
        place = draw.randrange(len(value))
        return [*value[:place], damaged_value(draw, value[place]), *value[place + 1 :]]
    return draw.choice(EXTREMES)


def damaged_records(draw: random.Random, content: bytes) -> bytes:
    """Change one value of one record."""
    if content.startswith(b"{\n"):
        return json.dumps(damaged_value(draw, json.loads(content)), indent=2).encode()
    lines = content.splitlines()
    place = draw.randrange(len(lines))
    lines[place] = json.dumps(damaged_value(draw, json.loads(lines[place]))).encode()
    return b"\n".join(lines) + b"\n"


def outcome(work: Callable[[], Any]) -> Any:
    """Return the result of a command, or its one-line error."""
    try:
        return work()
    except OptionError as error:
        assert "\n" not in str(error)
        return f"refused: {error}"


def refused(found: Any) -> bool:
    return isinstance(found, str) and found.startswith("refused")


def without_times(report: Report) -> dict[str, Any]:
    return {**report.to_dict(), "wall_s": None}


def attack(whole: Path, folder: Path, seed: int) -> None:
    draw = random.Random(seed)
    run = folder / "run"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, run)
    name = draw.choice([*FILES, "episodes.jsonl", "episodes.jsonl"])
    before = (run / name).read_bytes()
    how = draw.choice([damaged_bytes, damaged_records])
    content = how(draw, before)
    (run / name).write_bytes(content)

    kept = outcome(lambda: load_run(run)[1])
    reported = outcome(lambda: [one for it in read_study([run]).runs for one in it.episodes])
    viewed = outcome(lambda: write_view([run], folder / "view"))
    regraded = outcome(lambda: regrade(run, out=folder / "new"))
    assert kept == reported, "the report keeps other episodes than the run"
    assert refused(kept) == refused(viewed), viewed
    if refused(kept):
        assert refused(regraded)
    elif not refused(regraded):  # refused if the damaged settings make no env
        assert len(regraded.episodes) + regraded.invalid == len(kept)
        assert [(one["task_id"], one["trial"]) for one in load_run(folder / "new")[1]] == [
            (one["task_id"], one["trial"]) for one in kept
        ]
    assert (run / name).read_bytes() == content, "reading changes nothing"

    records = (run / "episodes.jsonl").read_bytes()
    again = outcome(lambda: play(run))
    if refused(again):
        # It looks like another run or another version's, and its episodes stay untouched.
        assert name in ("run.json", "episodes.jsonl")
        assert (run / "episodes.jsonl").read_bytes() == records
    else:
        there = {(one["task_id"], one["trial"]): one for one in load_run(run)[1]}
        assert len(there) == len(ENVS) * N, "not all was played"
        for one in kept if isinstance(kept, list) else []:
            if one["status"] != "invalid":
                assert there[one["task_id"], one["trial"]] == one, "what was finished was played again"
        undamaged = read_lines(whole / "episodes.jsonl")
        if all(one in undamaged for one in there.values()):
            assert without_times(load_report(run)) == without_times(load_report(whole))


@given(seed=st.integers(0, 2**32 - 1))
@attacks
def test_a_damaged_folder(whole: Path, tmp_path: Path, quiet: None, seed: int) -> None:
    attack(whole, tmp_path / "attacked", seed)
