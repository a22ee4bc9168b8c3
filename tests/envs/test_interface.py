"""The banking environment's Gymnasium interface: spaces, options, errors, information, rendering."""

import hashlib
import json
import pickle
import warnings
from importlib import resources
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import teller_gym
from teller_gym.base.errors import ErrorKind, InfrastructureError, OptionError, ScenarioError
from teller_gym.envs.teller import TellerEnv
from teller_gym.procedure.task import Split, Task
from teller_gym.registration import ENVS, register_envs
from teller_gym.tasks.store import CANARY, frozen_tasks, load_tasks, split_tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call, ToolCall
from teller_gym.tools.run import action_text
from tests.envs.play import INFO_KEYS, make, play_expert, submit_text

TASKS = list(frozen_tasks("loans").values())


@pytest.mark.parametrize("card", ENVS, ids=lambda card: card.id)
def test_the_checker_has_nothing_to_say(card: Any) -> None:
    env = gym.make(card.id, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_the_id_works_with_the_module_in_front() -> None:
    assert isinstance(gym.make("teller_gym:Teller-Loans-v0").unwrapped, TellerEnv)
    register_envs()  # registering again is harmless
    assert teller_gym.load_scenario("loans").name == "loans"


def test_an_unknown_id_names_the_nearest() -> None:
    with pytest.raises(gym.error.NameNotFound, match="Teller-Loans"):
        gym.make("Teller-Loan-v0")
    with pytest.raises(gym.error.VersionNotFound, match="v0"):
        gym.make("Teller-Loans-v9")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "test"}, "split: expected one of train, validation, heldout, .*heldout_branch, got 'test'"),
        ({"sop": "short"}, "sop: expected one of abstract, explicit, got 'short'"),
        ({"reward": "dense"}, "reward: expected one of shaped, sparse, got 'dense'"),
        ({"reward": 1}, "reward: expected .*got 1"),
        ({"state_view": "full"}, "state_view: expected one of progress, none, got 'full'"),
        ({"distractors": 244}, "distractors: expected 'all' or a number from 0 to 243, got 244"),
        ({"distractors": "some"}, "distractors: expected 'all' or a number from 0 to 243, got 'some'"),
        ({"distractors": False}, "distractors: expected 'all' or a number from 0 to 243, got False"),
        ({"diagnose": "yes"}, "diagnose: expected True or False, got .yes."),
        ({"max_steps": 0}, "max_steps: expected None or a whole number of 1 or more, got 0"),
        ({"max_steps": True}, "max_steps: .*got True"),
        ({"max_steps": 2.5}, "max_steps: .*got 2.5"),
        ({"max_steps": "9"}, "max_steps: .*got '9'"),
        ({"scenario": "boats"}, "scenario: expected one of .*loans.*, got 'boats'"),
        ({"split": 3}, "split: expected one of .*got 3"),
        ({"sop": ["abstract"]}, "sop: expected one of"),
        ({"render_mode": "human"}, "render_mode: expected one of None, ansi, got 'human'"),
    ],
)
def test_unknown_options_name_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        TellerEnv(**{"scenario": "loans", **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task_id": "loans-9999"}, "task_id: expected loans-0001 … loans-0214, .*got 'loans-9999'"),
        ({"task_id": "loans-g-"}, "task_id: expected"),
        ({"task_id": "loans-g-x"}, "task_id: expected"),
        ({"task_id": "loans-g-²"}, "task_id: expected"),
        ({"task_id": "loans-g-07"}, "or loans-g-<seed> with a seed of 0 … 999999999999999999, got 'loans-g-07'"),
        ({"task_id": f"loans-g-{10**18}"}, "task_id: expected"),
        ({"task_id": "cards-g-7"}, "task_id: expected"),
        ({"task_id": None}, "task_id: expected"),
        ({"task": "loans-0001"}, r"options: expected 'task_id' and at most 'tools' besides, got \['task'\]"),
        ({"task_id": "loans-0001", "seed": 1}, "options: expected 'task_id' and at most 'tools' besides, got"),
    ],
)
def test_unknown_reset_options_name_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make().reset(options=options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("boats", "train"), "scenario: expected one of .*loans"),
        (("loans", "test"), "split: expected one of train"),
        (("loans", "generated"), "n: the generated split has no end"),
        (("loans", "train", -1), "n: expected 0 or more"),
        (("loans", "generated", 1, -1), "seed: expected 0 … 999999999999999999, got -1"),
        (("loans", "generated", 2, 10**18 - 1), "seed: expected 0 … 999999999999999999, got 1000000000000000000"),
    ],
)
def test_loading_tasks_names_what_is_allowed(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        load_tasks(*arguments)


def test_loading_tasks() -> None:
    assert [t.id for t in load_tasks("loans", "heldout", 3)] == [t.id for t in load_tasks("loans", "heldout")][:3]
    assert [t.id for t in load_tasks("loans", "generated", 3, seed=7)] == ["loans-g-7", "loans-g-8", "loans-g-9"]
    assert load_tasks("loans", "generated", 2, seed=7)[1] == load_tasks("loans", "generated", 1, seed=8)[0]


@pytest.mark.parametrize("split", ["train", "validation", "heldout"])
def test_the_split_governs_what_is_drawn(split: str) -> None:
    env = make(split=split)
    ids = {task.id for task in split_tasks("loans", Split(split))}
    drawn = {env.reset(seed=0 if n == 0 else None)[1]["task_id"] for n in range(120)}
    assert drawn <= ids
    assert len(drawn) > min(10, len(ids) // 2)


def test_a_task_can_be_named_whatever_the_split() -> None:
    env = make(split="train")
    held = split_tasks("loans", Split.HELDOUT)[0]
    assert env.reset(options={"task_id": held.id})[1]["task_id"] == held.id
    generated = env.reset(options={"task_id": "loans-g-11"})[1]["task_id"]
    assert generated == "loans-g-11"
    assert env.unwrapped.task == load_tasks("loans", "generated", 1, seed=11)[0]


def test_a_drawn_generated_task_can_be_named_again() -> None:
    env, other = make(split="generated"), make()
    first, info = env.reset(seed=4)
    again, _ = other.reset(options={"task_id": info["task_id"]})
    assert first == again


@pytest.mark.parametrize("reward", ["shaped", "sparse"])
def test_information_has_the_same_keys_at_every_step(reward: str) -> None:
    env = make(reward=reward)
    _, info = env.reset(seed=5)
    actions = [*env.action_space_samples(3), "{", *map(action_text, env.task.standard.calls)]
    infos = [info, *(env.step(action)[4] for action in actions)]
    for step, one in enumerate(infos):
        assert tuple(one) == INFO_KEYS
        assert one["step"] == step
        assert one["task_id"] == env.task.id and one["scenario"] == "loans" and one["invalid"] is False
        assert type(one["success"]) is bool and type(one["score"]) is float
        assert list(one["reward_terms"]) == ["checkpoints", "parameters", "outcome", "penalties"]
        assert all(0 <= term <= 1 for term in one["reward_terms"].values())
        if one["error"] is not None:
            assert list(dict(one["error"])) == ["kind", "message", "field"]
            assert one["error"]["kind"] in set(ErrorKind)
        last = step == len(infos) - 1
        assert last or all(one["checkpoints"].values())  # the full list would be the answer key
    expected = [f"call:{name}" for name in dict.fromkeys(c.name for c in env.task.standard.calls)]
    expected += [*(f"field:{name}" for name in env.task.standard.outputs), "finish"]
    assert list(infos[-1]["checkpoints"]) == expected
    assert infos[-1]["success"]


def test_diagnose_shows_all_checkpoints_at_once() -> None:
    env = make(diagnose=True)
    _, info = env.reset(seed=5)
    assert set(info["checkpoints"].values()) == {False}
    rows = [row.checkpoint for row in env.diagnosis()]
    assert rows == [*info["checkpoints"], "outcome", "penalties"]


def test_errors_read_like_dictionaries() -> None:
    env = make()
    env.reset(seed=5)
    error = env.step('{"name": "grant_loan", "arguments": {}}')[4]["error"]
    assert error["kind"] == error.get("kind") == "unknown_tool"
    assert error.get("colour", "none") == "none"
    assert {**error} == dict(error) == {"kind": error.kind, "message": error.message, "field": "name"}
    assert pickle.loads(pickle.dumps(error)) == error
    with pytest.raises(KeyError):
        error["colour"]


def test_observations_lie_in_the_space() -> None:
    env = make()
    obs, _ = env.reset(seed=5)
    assert env.observation_space.contains(obs)
    assert env.task.request in obs["state"] and env.scenario.sop("abstract") in obs["state"]
    assert obs["tool_result"] == ""
    for action in [*env.action_space_samples(5), '{"\ud800', *map(action_text, env.task.standard.calls)]:
        assert env.action_space.contains(action)
        obs = env.step(action)[0]
        assert env.observation_space.contains(obs)
        assert isinstance(json.loads(obs["tool_result"]), dict)
    assert not env.observation_space.contains({"state": "x"})
    assert not env.action_space.contains(3)


def test_the_rendering_of_the_sop_is_an_option() -> None:
    task_id = TASKS[0].id
    states = {sop: make(sop=sop).reset(options={"task_id": task_id})[0]["state"] for sop in ("abstract", "explicit")}
    assert states["abstract"] != states["explicit"]


def test_what_the_state_says_is_an_option() -> None:
    plain, silent = make(), make(state_view="none")
    for env in (plain, silent):
        env.reset(options={"task_id": TASKS[0].id})
    action = action_text(TASKS[0].standard.calls[0])
    told, untold = plain.step(action)[0], silent.step(action)[0]
    assert told["state"] == f"Case {TASKS[0].case_id}. Step 1 of {plain.max_steps}. The last action was accepted."
    assert untold == {"state": "", "tool_result": told["tool_result"]}
    assert plain.step("{}")[0]["state"].endswith("The last action failed (malformed).")


def test_a_final_response_ends_the_episode() -> None:
    env = make()
    env.reset(seed=5)
    obs, reward, terminated, truncated, info = env.step("The loan is approved.")
    assert (obs["tool_result"], reward, terminated, truncated) == ("", 0.0, True, False)
    assert info["error"] is None and not info["success"]
    with pytest.raises(ResetNeeded, match="reset"):
        env.step("{}")


def test_the_budget_truncates() -> None:
    env = make(max_steps=3)
    env.reset(seed=5)
    calls = list(map(action_text, env.task.standard.calls))
    assert [env.step(action)[2:4] for action in calls[:3]] == [(False, False), (False, False), (False, True)]
    assert env.grade().errors == {"budget": 1}
    with pytest.raises(ResetNeeded):
        env.step(calls[3])


def test_a_submission_with_the_last_step_terminates() -> None:
    task = min(TASKS, key=lambda task: len(task.standard.calls))
    env = make(max_steps=len(task.standard.calls))
    rewards, info = play_expert(env, task)
    assert info["success"] and sum(rewards) == pytest.approx(1.0)
    assert env.grade().errors == {}


def test_the_default_budget_is_three_times_the_longest() -> None:
    assert make().max_steps == 3 * max(len(task.standard.calls) for task in TASKS)


def test_messages_are_a_chat() -> None:
    env = make()
    task = TASKS[0]
    env.reset(options={"task_id": task.id})
    first = action_text(task.standard.calls[0])
    env.step(first)
    env.step("[1]")
    env.step(f"Next.\n```json\n{action_text(task.standard.calls[1])}\n```")
    env.step("Done.")
    chat = env.messages()
    assert [m["role"] for m in chat] == [
        "system", "user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert env.scenario.sop("abstract") in chat[0]["content"] and chat[1]["content"] == task.request
    (call,) = chat[2]["tool_calls"]
    assert json.loads(first) == {"name": call["function"]["name"], "arguments": call["function"]["arguments"]}
    assert chat[3]["tool_call_id"] == call["id"] and json.loads(chat[3]["content"])["application_id"] == task.case_id
    assert (chat[2]["content"], chat[6]["content"]) == ("", "Next.")
    assert json.loads(chat[5]["content"])["error"]["kind"] == "malformed"
    assert chat[8] == {"role": "assistant", "content": "Done."}
    json.dumps(chat)


def test_frozen_files_carry_the_canary_and_notice_damage(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    data = resources.files("teller_gym.scenarios").joinpath("loans", "instances.jsonl").read_bytes()
    assert CANARY.encode() in data.splitlines()[0]
    monkeypatch.setattr("teller_gym.tasks.store.resources.files", lambda _: tmp_path)
    file = tmp_path / "instances.jsonl"
    lines = data.splitlines(keepends=True)
    for content, message in (
        (b"".join(lines[:-1]), "expected 214 tasks, got 213"),
        (data[:-100], "is damaged: .*truncated"),
        (data.replace(b'"split"', b'"spilt"', 1), "is damaged: .*split"),
        (b"\xff" + data, "is damaged"),
        (b"", "is damaged"),
        (data.replace(CANARY.encode(), b"tweet"), "carries another canary"),
    ):
        file.write_bytes(content)
        with pytest.raises(ScenarioError, match=message):
            frozen_tasks.__wrapped__("loans")
    file.unlink()
    with pytest.raises(ScenarioError, match="is damaged"):
        frozen_tasks.__wrapped__("loans")


def test_submitting_something_else_ends_the_episode_too() -> None:
    task: Task = TASKS[0]
    env = make()
    env.reset(options={"task_id": task.id})
    for call in task.standard.calls[:-1]:
        env.step(action_text(call))
    terminated, info = env.step(submit_text(task, action_due_date="2026-01-01"))[2::2]
    assert terminated and not info["success"]
    assert info["checkpoints"]["field:action_due_date"] is False and info["checkpoints"]["finish"]


@pytest.mark.parametrize("schema_shift", [0, 1])
def test_a_tool_that_crashes_is_a_failed_call_and_a_defect(
    schema_shift: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    env, other = make(schema_shift=schema_shift), make(schema_shift=schema_shift)
    first, *_ = calls = TASKS[0].standard.calls
    for each in (env, other):
        each.reset(options={"task_id": TASKS[0].id})
        each.step(action_text(Call(*each.tools.write(first.name, first.arguments))))
    before = env.state_hash()
    action = action_text(Call(*env.tools.write(calls[1].name, calls[1].arguments)))

    def fail(bank: Bank, call: ToolCall) -> str:
        bank.put("notes", "half", {"written": True})
        raise ZeroDivisionError("by\nnothing")

    monkeypatch.setattr("teller_gym.envs.episode.bank.run_tool", fail)
    obs, _, terminated, truncated, info = env.step(action)
    assert (terminated, truncated, info["invalid"], env.failure) == (False, False, False, None)
    assert info["error"]["kind"] == "crash" and "ZeroDivisionError" not in obs["tool_result"]
    assert info["defect"].startswith(f"{calls[1].name}: ZeroDivisionError: by nothing (test_interface.py:")
    assert info["reward_terms"]["penalties"] == 0.01 and env.grade().errors == {"crash": 1}
    assert env.state_hash() == before
    (told,) = caplog.records
    digest = hashlib.sha256(action.encode()).hexdigest()[:16]
    assert told.levelname == "ERROR" and calls[1].name in told.getMessage() and digest in told.getMessage()
    assert told.exc_info and isinstance(told.exc_info[1], ZeroDivisionError)
    other.restore(env.snapshot())
    assert other.episode.defects == env.episode.defects == {2: info["defect"]}
    monkeypatch.undo()
    # The agent can continue, and correct calls earn the same rewards as before.
    for call in calls[1:]:
        terminated, _, info = env.step(action_text(Call(*env.tools.write(call.name, call.arguments))))[2:]
        assert info["defect"] is None and info["error"] is None
    assert terminated and info["success"] and info["score"] == pytest.approx(0.99) and not env.grade().clean


def test_an_action_that_crashes_its_reader_is_a_failed_call_and_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make()
    env.reset(seed=1)
    monkeypatch.setattr("teller_gym.envs.episode.base.parse_action", lambda *_: 1 / 0)
    _, _, terminated, truncated, info = env.step("{}")
    assert (terminated, truncated, info["invalid"], info["error"]["kind"]) == (False, False, False, "crash")
    assert info["defect"].startswith("reading: ZeroDivisionError")


@pytest.mark.parametrize("fault", [MemoryError, OSError, InfrastructureError])
def test_a_fault_of_the_machine_ends_the_episode_unscored(
    fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make()
    env.reset(options={"task_id": TASKS[0].id})
    env.step(action_text(TASKS[0].standard.calls[0]))

    def fail(*_: Any) -> None:
        raise fault("nothing left")

    monkeypatch.setattr("teller_gym.envs.episode.bank.run_tool", fail)
    obs, _, terminated, truncated, info = env.step(action_text(TASKS[0].standard.calls[1]))
    assert (terminated, truncated, info["invalid"], info["success"]) == (False, True, True, False)
    assert fault.__name__ not in obs["tool_result"] and "was cut off by a fault" in obs["state"]
    name = TASKS[0].standard.calls[1].name
    assert env.failure == f"{name}: {fault.__name__}: nothing left"
    other = make()
    other.restore(env.snapshot())
    assert other.failure == env.failure
    with pytest.raises(ResetNeeded):
        env.step("{}")
    monkeypatch.undo()
    assert env.reset(seed=1)[1]["invalid"] is False and env.snapshot().failure is None
    assert env.step(action_text(env.task.standard.calls[0]))[4]["invalid"] is False
