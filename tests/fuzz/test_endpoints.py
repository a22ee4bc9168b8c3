"""Evaluations of a hostile server: every episode is scored or invalid, and a good server completes the run."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import teller_gym
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.evaluation import Report
from tests.fuzz.effort import examples
from tests.fuzz.servers import Misbehaviour, misbehaviours
from tests.servers.answers import expert_answers
from tests.servers.running import scripted_server
from tests.servers.schedule import Match, Rule, Script

_SHORTEST = sorted(teller_gym.load_tasks("loans", "validation"), key=lambda task: len(task.standard.calls))[:3]
TASKS = [task.id for task in _SHORTEST]
ANSWERS = expert_answers("loans", "validation", task_ids=TASKS)
KEY = "sk-proj/never+to/be=seen-0123456789"
PATIENCE_S = 60.0
"""Time-out for a good answer on a busy machine."""
SHORT_S = 0.3
"""Time-out for an answer that never comes."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pause before retries, and set the key."""
    monkeypatch.setattr("teller_gym.agents.endpoint.client.FIRST_WAIT_S", 0.01)
    monkeypatch.setenv("HOSTILE_KEY", KEY)


@pytest.fixture(scope="module")
def good() -> Iterator[str]:
    with scripted_server(Script(answers=ANSWERS)) as running:
        yield running.base_url


class Plan(NamedTuple):
    """Misbehaviours of a server, and the requests in which they occur."""

    wrongs: tuple[Misbehaviour, ...]
    matches: tuple[Match, ...]
    protocol: str


_matches = st.builds(
    Match,
    case=st.sampled_from([None, _SHORTEST[0].case_id]),
    turns=st.sampled_from([None, (0,), (1,), (2, 5), tuple(range(3, 40))]),
    attempts=st.sampled_from([None, 1, 2]),
    rate=st.sampled_from([1.0, 0.5, 0.1]),
)
plans = st.integers(1, 3).flatmap(
    lambda number: st.builds(
        Plan,
        st.tuples(*[misbehaviours] * number),
        st.tuples(*[_matches] * number),
        st.sampled_from(["native", "native", "react"]),
    )
)


def play(url: str, run_dir: Path, protocol: str, **agent: Any) -> Report:
    kwargs = {"base_url": url, "model": "scripted", "key_variable": "HOSTILE_KEY", "protocol": protocol, **agent}
    return teller_gym.evaluate(
        "endpoint", "Teller-Loans-v0", "validation", agent_kwargs=kwargs, task_ids=TASKS, run_dir=run_dir,
        concurrency=3, progress=False,
    )  # fmt: skip


def figures(report: Report) -> dict[str, Any]:
    """Return the figures that do not depend on the length of the chats."""
    told: dict[str, Any] = json.loads(json.dumps(report.to_dict()["stages"]))
    for stage in told.values():
        del stage["tokens"]
        for name in [name for name in stage["metrics"] if "token" in name]:
            del stage["metrics"][name]
        for group in stage.get("groups", {}).values():
            for one in group.values():
                for name in [name for name in one.get("metrics", {}) if "token" in name]:
                    del one["metrics"][name]
    return told


class Undisturbed:
    """The figures of each protocol; not a dataclass, because a test failure would print it in full."""

    def __init__(self, figures: dict[str, dict[str, Any]]) -> None:
        self.figures = figures


@pytest.fixture(scope="module")
def undisturbed(good: str, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOSTILE_KEY", KEY)
        folder = tmp_path_factory.mktemp("undisturbed")
        return Undisturbed({name: figures(play(good, folder / name, name)) for name in ("native", "react")})


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(plan=plans)
def test_whatever_a_server_does(
    plan: Plan, good: str, undisturbed: Undisturbed, tmp_path_factory: pytest.TempPathFactory,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    run_dir = tmp_path_factory.mktemp("hostile") / "run"
    rules = tuple(Rule("hostile", match, wrong=one.wrong) for one, match in zip(plan.wrongs, plan.matches, strict=True))
    hangs = any(one.wrong.kind in ("hang", "raw") or one.wrong.status < 200 for one in plan.wrongs)
    stopped = ""
    with scripted_server(Script(answers=ANSWERS, rules=rules, key=KEY)) as server:
        try:
            play(server.base_url, run_dir, plan.protocol, retries=1, timeout_s=SHORT_S if hangs else PATIENCE_S)
        except (InfrastructureError, OptionError) as error:
            stopped = str(error)
            assert "\n" not in stopped and len(stopped) < 2000
    check_episodes(run_dir, plan, bool(stopped), hangs)
    report = play(good, run_dir, plan.protocol, retries=1, timeout_s=PATIENCE_S)
    assert (report.planned, report.invalid) == (len(TASKS), 0)
    if blames(plan) <= {"nobody", "server"}:
        assert figures(report) == undisturbed.figures[plan.protocol]
    check_secret(run_dir, stopped, *capfd.readouterr())


def blames(plan: Plan) -> set[str]:
    """Return the parties that may be to blame.

    In ReAct, changed content counts as the model's output. A garbled byte in the content may come from the model too,
    because some servers send its tokens byte by byte.
    """
    content = plan.protocol == "react" and any(one.wrong.path[-1:] == ("content",) for one in plan.wrongs)
    garbled = any(one.wrong.kind == "garbled" for one in plan.wrongs)
    return {one.blame for one in plan.wrongs} | ({"model"} if content or garbled else set())


def check_episodes(run_dir: Path, plan: Plan, stopped: bool, hangs: bool) -> None:
    """Check that each episode is scored, or invalid with a reason, and that the server's faults cost no score."""
    file = run_dir / "episodes.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    episodes = [json.loads(line) for line in lines]
    assert stopped or len(episodes) == len(TASKS)
    for one in episodes:
        if one["status"] == "invalid":
            assert one["failure"]
            assert hangs or "server" in blames(plan)
        else:
            assert 0.0 <= one["score"] <= 1.0
            assert "model" in blames(plan) or one["score"] == 1.0
    if not hangs and "server" not in blames(plan):
        assert not stopped


def check_secret(run_dir: Path, *told: str) -> None:
    """Check that the key appears nowhere, in any escaped form."""
    texts = {path.name: path.read_bytes().decode("utf-8", "replace") for path in run_dir.rglob("*") if path.is_file()}
    for name, text in [*texts.items(), *(("told", one) for one in told)]:
        for _ in range(3):
            assert KEY not in text, name
            text = text.replace("\\/", "/").replace("\\\\", "\\")
            text = re.sub(r"\\u00([0-7][0-9a-fA-F])", lambda match: chr(int(match[1], 16)), text)
