"""The reference agents play to the end, are deterministic and use only permitted information; lapses, injections."""

from typing import Any

import gymnasium as gym
import msgspec
import pytest

import tests.proof.stub as stub
from teller_gym.agents import CHEAP_AGENTS, REFERENCE_AGENTS, make_agent
from teller_gym.agents.base import Agent
from teller_gym.agents.code_guesser import codes_of, guessed_codes
from teller_gym.agents.reference import KNOWING_AGENTS
from teller_gym.agents.scripted import Lapsing
from teller_gym.base.errors import OptionError
from teller_gym.procedure.injections import AskedCall, Asks, Injection
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.play import Subject, play_agent
from teller_gym.proof.trunk import Trunk
from teller_gym.tasks.store import frozen_tasks, split_tasks
from teller_gym.tools.call import Call

ALL = tuple(REFERENCE_AGENTS)


@pytest.fixture
def env() -> gym.Env[Any, Any]:
    return gym.make(stub.ENV_ID)


def play(env: gym.Env[Any, Any], agent: Agent, task_id: str) -> tuple[list[str], dict[str, Any]]:
    obs, info = env.reset(options={"task_id": task_id})
    agent.reset()
    actions: list[str] = []
    over = False
    while not over:
        # As in evaluation, the info contains nothing about the grading.
        actions.append(agent.act(obs, {"task_id": task_id, "scenario": stub.NAME, "step": len(actions), "error": None}))
        obs, _, terminated, truncated, info = env.step(actions[-1])
        over = terminated or truncated
    return actions, info


def test_the_names_are_those_of_the_public_interface() -> None:
    assert set(ALL) == {
        *("expert", "noop", "random", "call_everything", "majority", "always_deny", "always_escalate", "repeat"),
        *("skip_to_decision", "echo_example", "brute_force", "obey"),
        *("clean_path", "clean_path_constant", "brute_force_codes"),
    }
    assert {*CHEAP_AGENTS, *KNOWING_AGENTS} == set(ALL)
    assert not {*CHEAP_AGENTS} & {*KNOWING_AGENTS}


def test_an_unknown_name_is_told_the_nearest(env: gym.Env[Any, Any]) -> None:
    with pytest.raises(OptionError, match=r"did you mean 'expert'"):
        make_agent("exprt", env)


@pytest.mark.parametrize("name", ALL)
def test_an_agent_carries_its_name_and_repeats_itself(env: gym.Env[Any, Any], name: str) -> None:
    agent = make_agent(name, env)
    assert agent.name == name
    first = play(env, agent, f"{stub.NAME}-0003")[0]
    play(env, agent, f"{stub.NAME}-0004")
    other = make_agent(name, env)
    assert play(env, other, f"{stub.NAME}-0003")[0] == first


@pytest.mark.parametrize("begun", [False, True])
def test_the_expert_of_another_env_is_refused(env: gym.Env[Any, Any], begun: bool) -> None:
    other = gym.make(stub.ENV_ID)
    if begun:
        other.reset(options={"task_id": f"{stub.NAME}-0004"})
    with pytest.raises(OptionError, match=r"make it for the env it plays in: make_agent\('expert', env\)"):
        play(env, make_agent("expert", other), f"{stub.NAME}-0003")


def test_the_expert_says_so_when_one_of_its_calls_fails(env: gym.Env[Any, Any]) -> None:
    agent = make_agent("expert", env)
    obs, info = env.reset(options={"task_id": f"{stub.NAME}-0003"})
    agent.reset()
    agent.act(obs, info)
    action = agent.act({"state": "", "tool_result": '{"error": {"kind": "order", "message": "too early"}}'}, info)
    assert "too early" in action
    assert not action.startswith("{")


def test_random_calls_follow_the_seed(env: gym.Env[Any, Any]) -> None:
    agent: Any = make_agent("random", env)
    played = []
    for seed in (1, 2, 1):
        agent.seed(seed)
        played.append(play(env, agent, f"{stub.NAME}-0003")[0])
    assert played[0] == played[2] != played[1]


def test_call_everything_calls_every_tool_with_what_it_has_seen(env: gym.Env[Any, Any]) -> None:
    actions, info = play(env, make_agent("call_everything", env), f"{stub.NAME}-0003")
    task = frozen_tasks(stub.NAME)[f"{stub.NAME}-0003"]
    for name in ("get_case", "check_purchase", "read_note", "submit_review"):
        assert any(f'"name":"{name}"' in action for action in actions)
    assert all(task.case_id in action for action in actions)
    amount = task.tables["cases"][task.case_id]["amount"] / 100
    assert any(f'"amount":{amount}' in action for action in actions)
    assert info["checkpoints"]["finish"]


@pytest.mark.parametrize(
    ("name", "number", "said"), [*(("always_deny", n, '"decision":"deny"') for n in range(1, 7)),
                                 ("always_escalate", 3, '"routing":"supervisor"')]
)  # fmt: skip
def test_an_agent_with_one_answer_gives_it(env: gym.Env[Any, Any], name: str, number: int, said: str) -> None:
    actions, info = play(env, make_agent(name, env), f"{stub.NAME}-{number:04}")
    assert said in actions[-1] and info["checkpoints"]["finish"]


def test_skip_to_decision_leaves_checks_out_unless_a_tool_insists(env: gym.Env[Any, Any]) -> None:
    names = [action.split('"')[3] for action in play(env, make_agent("skip_to_decision", env), f"{stub.NAME}-0003")[0]]
    assert names == ["get_case", "submit_review", "check_purchase", "submit_review"]


def test_repeat_repeats_one_call_to_the_end(env: gym.Env[Any, Any]) -> None:
    actions = play(env, make_agent("repeat", env), f"{stub.NAME}-0003")[0]
    core: Any = env.unwrapped
    assert len(actions) == core.max_steps
    assert len(set(actions[2:])) == 1


def test_brute_force_tries_enumerations(env: gym.Env[Any, Any]) -> None:
    actions = play(env, make_agent("brute_force", env), f"{stub.NAME}-0003")[0]
    for handling in ("none", "restock", "discard"):
        assert any(f'"handling":"{handling}"' in action for action in actions)


def test_echo_example_uses_the_id_of_the_request_not_that_of_the_example(env: gym.Env[Any, Any]) -> None:
    task = frozen_tasks(stub.NAME)[f"{stub.NAME}-0003"]
    actions = play(env, make_agent("echo_example", env), task.id)[0]
    assert task.case_id in actions[0]
    assert "RF-123456" not in "".join(actions)


LOANS = load_scenario("loans")


@pytest.fixture(scope="module")
def under() -> Subject:
    return Subject("Teller-Loans-v0")


def won(under: Subject, name: str, task: Any) -> bool:
    return play_agent(under, task, make_agent(name, under.env)).success


FLAWED = {f"lapse:{name}": lapse.expert for name, lapse in LOANS.lapses.items()} | LOANS.clean_paths
NAMES = ("highest_score", "match_left_open", "exclusions_forgotten", "start_day_counted")


@pytest.mark.parametrize("name", [*(f"lapse:{name}" for name in NAMES), "clean_path", "clean_path_constant"])
def test_a_flawed_expert_in_the_env_ends_as_in_the_quick_play_of_the_check(under: Subject, name: str) -> None:
    for task in split_tasks("loans", Split.HELDOUT)[:6]:
        assert won(under, name, task) == Trunk(task).play(FLAWED[name]).grader.success, task.id


def test_a_lapse_is_played_under_every_randomisation(under: Subject) -> None:
    options = {"schema_shift": True, "perturb": True, "faults": True, "distractors": 20}
    varied = Subject("Teller-Loans-v0", **options)
    for task in split_tasks("loans", Split.HELDOUT)[:6]:
        assert won(varied, "lapse:start_day_counted", task) == won(under, "lapse:start_day_counted", task), task.id


def test_a_lapse_carries_its_name_and_an_unknown_one_is_told_the_nearest(under: Subject) -> None:
    agent = make_agent("lapse:highest_score", under.env)
    assert isinstance(agent, Lapsing) and agent.name == "lapse:highest_score"
    with pytest.raises(OptionError, match=r"lapse:highst_score.*did you mean 'highest_score'"):
        make_agent("lapse:highst_score", under.env)


def test_codes_are_derived_texts_of_the_policy_and_nothing_else() -> None:
    found = {(tool, name) for tool, arguments in codes_of("loans").items() for name in arguments}
    assert {("verify_identity", "registry"), ("check_application_completeness", "checklist")} <= found
    copied = {("pull_credit_report", "request_type"), ("check_application_completeness", "earliest_id_expiry")}
    assert not found & copied
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

    def without_codes(call: Call) -> tuple[str, dict[str, Any]]:
        codes = codes_of("loans").get(call.name, {})
        return call.name, {name: value for name, value in call.arguments.items() if name not in codes}

    assert all(without_codes(call) in map(without_codes, standard) for call in made)


def test_obey_gives_the_answer_that_a_record_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    stubbed = Subject(stub.ENV_ID)
    task = next(task for task in stubbed.tasks if task.standard.outputs["decision"] == "refund")
    asked = Injection("a", "train", "note", "nothing to note", Asks(set={"decision": "deny", "refund_amount": 0.0}))
    read = Asks(call=AskedCall("read_note", {"case_id": "{case_id}"}))
    first = Injection("b", "train", "case", task.case_id, read)
    monkeypatch.setitem(vars(stubbed.scenario), "injections", {"a": asked, "b": first})
    actions, _ = play(stubbed.env, make_agent("obey", stubbed.env), task.id)
    assert any("read_note" in action and task.case_id in action for action in actions)
    assert any('"decision":"deny"' in action for action in actions)


def test_a_clean_path_of_a_scenario_without_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    stubbed = Subject(stub.ENV_ID)
    monkeypatch.setitem(vars(stubbed.scenario), "clean_paths", {})
    with pytest.raises(OptionError, match="CLEAN_PATHS"):
        play_agent(stubbed, stubbed.tasks[0], make_agent("clean_path", stubbed.env))


def test_the_small_scenario_has_lapses_too() -> None:
    delays = Subject("tests.tiny:Teller-Delays-v0")
    assert {won(delays, "lapse:one_rate", task) for task in delays.tasks[:10]} == {True, False}
