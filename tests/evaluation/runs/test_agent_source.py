"""Changes to a custom agent's code or settings are detected, so that it does not continue an earlier run."""

import functools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.evaluation import Report, evaluate, load_report
from teller_gym.evaluation.runs.agent_source import source_checksum
from tests.evaluation.stub import ENV_ID, GOOD

pytestmark = pytest.mark.usefixtures("stub_env")

MODULE = """
# {comment}
from dataclasses import dataclass
PROMPT = {prompt!r}
{shared}

def helper(text):
    return {helper}

class Base:
    def reset(self):
        self.left = ["{{}}", "done"]
        self.calls = getattr(self, "calls", 0) + 1

class Mine(Base):
    name = "mine"
    style = "plain"

    def __init__(self, temperature=0.0, words=()):
        self._temperature, self.words = temperature, list(words)

    def act(self, obs, info):
        return helper(self.left.pop(0) + PROMPT[:0])

def make(env):
    return Mine()
"""
PLAIN = {"comment": "a", "prompt": "Be good.", "shared": "", "helper": "text"}


def module(**changes: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "an_agent_of_mine"}
    exec(compile(MODULE.format(**{**PLAIN, **changes}), "an_agent_of_mine.py", "exec"), names)
    return names


def of(change: Callable[[dict[str, Any]], Any] = lambda names: names["Mine"](), **changes: str) -> str:
    return source_checksum(change(module(**changes)))


@pytest.mark.parametrize("changes", [{"prompt": "Be bad."}, {"helper": "text + ' '"}, {"helper": "text or 'nothing'"}])
def test_changed_code_is_seen_wherever_it_is(changes: dict[str, str]) -> None:
    for change in (lambda names: names["Mine"](), lambda names: names["make"], lambda names: names["Mine"]):
        assert of(change, **changes) != of(change)


@pytest.mark.parametrize(
    "change",
    [
        lambda names: names["Mine"](0.5),
        lambda names: names["Mine"](words=["few", "shots"]),
        lambda names: functools.partial(names["Mine"], temperature=0.5),
        lambda names: lambda env: names["Mine"](0.5),
    ],
)
def test_changed_settings_are_seen(change: Callable[[dict[str, Any]], Any]) -> None:
    assert of(change) != of()


def test_an_attribute_set_afterwards_is_seen() -> None:
    first = module()["Mine"]()
    before = source_checksum(first)
    first.style = "ornate"
    assert source_checksum(first) != before


def test_comments_and_what_changes_in_play_do_not_matter() -> None:
    assert of(comment="another\n\n\n") == of()
    names = module()
    agent = names["Mine"]()
    before = source_checksum(agent)
    for _ in range(100):
        agent.reset()
        agent.act({}, {})
    assert source_checksum(agent) == before


def test_an_agent_may_say_itself_what_it_is() -> None:
    first, second = module()["Mine"](), module(helper="text + ' '")["Mine"](0.5)
    first.fingerprint = second.fingerprint = "mine, version 3"
    assert source_checksum(first) == source_checksum(second)
    second.fingerprint = "mine, version 4"
    assert source_checksum(first) != source_checksum(second)


def test_two_functions_of_one_name_in_a_test_are_told_apart() -> None:
    def maker(answer: str) -> Callable[[Any], Any]:
        return lambda env: answer

    assert source_checksum(maker("a")) == source_checksum(maker("a")) != source_checksum(maker("b"))


def test_other_processes_agree() -> None:
    code = (
        "from tests.evaluation.runs.test_agent_source import of, module\n"
        "print(of(), of(lambda names: names['make']), of(lambda names: lambda env: {'a', 'b', 'c'}))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed,
            "PYTHONPATH": str(Path(__file__).parents[3])},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


class Scripted:
    """Gives the same texts in turn in every episode."""

    name = "scripted"

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def reset(self) -> None:
        self._left = list(self.texts)

    def act(self, obs: Any, info: Any) -> str:
        return self._left.pop(0)


def play(agent: Any, folder: Path, **options: Any) -> Report:
    return evaluate(agent, ENV_ID, run_dir=folder, progress=False, **options)


def test_a_changed_agent_does_not_get_the_old_figures(tmp_path: Path) -> None:
    whole = play(Scripted(*GOOD), tmp_path)
    assert len(json.loads((tmp_path / "run.json").read_bytes())["agent"]["source"]) == 64
    assert play(Scripted(*GOOD), tmp_path).played == 0
    with pytest.raises(OptionError, match=r"agent.source.*code or settings have changed.*overwrite=True"):
        play(Scripted("done"), tmp_path)
    assert load_report(tmp_path) == whole
    anew = play(Scripted("done"), tmp_path, overwrite=True)
    assert (anew.played, anew.metrics["success"].value, whole.metrics["success"].value) == (12, 0.0, 1.0)
    assert load_report(tmp_path) == anew
    again = play(Scripted("done"), tmp_path, overwrite=True)
    assert (again.played, again.metrics) == (12, anew.metrics)
    assert len((tmp_path / "provenance.jsonl").read_text().splitlines()) == 1


def test_overwrite_spares_a_folder_that_is_no_run_s(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(OptionError, match=r"thesis\.tex"):
        play(Scripted(*GOOD), tmp_path, overwrite=True)
    assert (tmp_path / "thesis.tex").read_text() == "dear"
