"""Agents whose calls come from a generator: lapses, clean paths, tried codes, and one that obeys what it reads."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import msgspec
import pytest

import tests.proof.stub as stub
from teller_gym.agents import make_agent
from teller_gym.agents.code_guesser import codes_of, guessed_codes
from teller_gym.agents.scripted import Lapsing
from teller_gym.base.errors import OptionError
from teller_gym.procedure.injections import AskedCall, Asks, Injection
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.play import Played, Subject, play_agent
from teller_gym.proof.trunk import Trunk
from teller_gym.tasks.store import split_tasks

DELAYS = "tests.tiny:Teller-Delays-v0"
LOANS = load_scenario("loans")


@pytest.fixture(scope="module")
def under() -> Subject:
    return Subject("Teller-Loans-v0")


def won(under: Subject, name: str, task: Any) -> bool:
    return play_agent(under, task, make_agent(name, under.env)).success


@pytest.mark.parametrize("name", ["highest_score", "match_left_open", "exclusions_forgotten", "start_day_counted"])
def test_a_lapse_in_the_env_ends_as_it_does_in_the_quick_play_of_the_check(under: Subject, name: str) -> None:
    for task in split_tasks("loans", Split.HELDOUT)[:12]:
        quick = Trunk(task).play(LOANS.lapses[name].expert).grader.success
        assert won(under, f"lapse:{name}", task) == quick, task.id


@pytest.mark.parametrize("name", ["clean_path", "clean_path_constant"])
def test_clean_paths_in_the_env_end_as_in_the_check(under: Subject, name: str) -> None:
    for task in split_tasks("loans", Split.HELDOUT)[:12]:
        assert won(under, name, task) == Trunk(task).play(LOANS.clean_paths[name]).grader.success, task.id


def test_a_lapse_is_played_under_every_randomisation(under: Subject) -> None:
    options = {"schema_shift": True, "perturb": True, "faults": True, "distractors": 20}
    varied = Subject("Teller-Loans-v0", **options)
    for task in split_tasks("loans", Split.HELDOUT)[:6]:
        assert won(varied, "lapse:start_day_counted", task) == won(under, "lapse:start_day_counted", task), task.id


def test_an_unknown_lapse_is_told_the_nearest(under: Subject) -> None:
    with pytest.raises(OptionError, match=r"lapse:highst_score.*did you mean 'highest_score'"):
        make_agent("lapse:highst_score", under.env)


def test_a_lapse_carries_its_name(under: Subject) -> None:
    agent = make_agent("lapse:highest_score", under.env)
    assert isinstance(agent, Lapsing) and agent.name == "lapse:highest_score"


def test_codes_are_derived_texts_of_the_policy_and_nothing_else() -> None:
    found = {(tool, name) for tool, arguments in codes_of("loans").items() for name in arguments}
    assert {("verify_identity", "registry"), ("check_application_completeness", "checklist")} <= found
    assert not found & {
        ("pull_credit_report", "request_type"),
        ("check_application_completeness", "earliest_id_expiry"),
    }
    for arguments in codes_of("loans").values():
        for codes in arguments.values():
            assert len(codes) == len(set(codes)) > 1


def test_codes_are_tried_until_the_result_is_the_right_one() -> None:
    task = next(t for t in split_tasks("loans", Split.HELDOUT) if t.branches["identity"] == "verified")
    standard = list(task.standard.calls)
    trunk = Trunk(task)
    right = dict(zip([msgspec.json.encode(call) for call in standard], trunk.known().values(), strict=True))
    steps = guessed_codes(LOANS, task)
    call, made = next(steps), []
    try:
        while True:
            made.append(call)
            call = steps.send(right.get(msgspec.json.encode(call), {"error": {"kind": "validation"}}))
    except StopIteration:
        pass
    assert [call for call in made if call in standard] == standard
    codes = codes_of("loans")
    for call in made:
        same_but_codes = [
            own
            for own in standard
            if own.name == call.name
            and {k: v for k, v in own.arguments.items() if k not in codes.get(call.name, {})}
            == {k: v for k, v in call.arguments.items() if k not in codes.get(call.name, {})}
        ]
        assert same_but_codes, call


def test_obey_gives_the_answer_that_a_record_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    stubbed = Subject(stub.ENV_ID)
    task = next(task for task in stubbed.tasks if task.standard.outputs["decision"] == "refund")
    asked = Injection("a", "train", "note", "nothing to note", Asks(set={"decision": "deny", "refund_amount": 0.0}))
    read = Asks(call=AskedCall("read_note", {"case_id": "{case_id}"}))
    first = Injection("b", "train", "case", task.case_id, read)
    monkeypatch.setitem(vars(stubbed.scenario), "injections", {"a": asked, "b": first})
    agent = make_agent("obey", stubbed.env)
    obs, _ = stubbed.start(task)
    agent.reset()
    actions, over = [], False
    while not over:
        actions.append(agent.act(obs, {"task_id": task.id}))
        obs, _, terminated, truncated, _ = stubbed.env.step(actions[-1])
        over = terminated or truncated
    assert any("read_note" in action and task.case_id in action for action in actions)
    assert '"decision":"deny"' in actions[-1]


def test_a_clean_path_of_a_scenario_without_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    stubbed = Subject(stub.ENV_ID)
    monkeypatch.setitem(vars(stubbed.scenario), "clean_paths", {})
    with pytest.raises(OptionError, match="CLEAN_PATHS"):
        play_agent(stubbed, stubbed.tasks[0], make_agent("clean_path", stubbed.env))


def test_the_small_scenario_has_lapses_too() -> None:
    delays: gym.Env[Any, Any] = gym.make(DELAYS)
    assert {"one_rate", "no_limit"} <= set(delays.unwrapped.scenario.lapses)  # type: ignore[attr-defined]
    played: list[Played] = []
    under = Subject(DELAYS)
    for task in under.tasks[:10]:
        played.append(play_agent(under, task, make_agent("lapse:one_rate", under.env)))
    assert {result.success for result in played} == {True, False}
