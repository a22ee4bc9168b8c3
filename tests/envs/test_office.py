"""The office environment: correct work scores 1, and the env meets the requirements of all envs."""

import json
from typing import Any

import pytest
from gymnasium.error import ResetNeeded
from hypothesis import given, settings
from hypothesis import strategies as st

import teller_gym
from teller_gym.agents.offices import CHEAP_OFFICE_AGENTS
from teller_gym.base.errors import OptionError
from teller_gym.envs.office import OfficeEnv
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.task import Split
from teller_gym.registration import WEALTH
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from tests.envs.play import play_agent

TASK = "wealth-net_worth-high"
OFFICE = WEALTH.kwargs["office"]


def made(**options: Any) -> OfficeEnv:
    return OfficeEnv(**{"split": "heldout", "office": OFFICE, **options})


def play(env: OfficeEnv, name: str = "expert", task: str = TASK) -> tuple[dict[str, Any], float]:
    return play_agent(env, name, task)


@pytest.mark.parametrize("reward", ["shaped", "sparse", RewardConfig(checkpoints=0.2, parameters=0, outcome=0.8)])
def test_the_rewards_add_up_to_the_score(reward: Any) -> None:
    info, rewards = play(made(reward=reward))
    assert info["success"] and info["score"] == 1.0 and rewards == pytest.approx(1.0)
    assert all(info["checkpoints"].values()) and not info["invalid"]


@pytest.mark.parametrize("name", CHEAP_OFFICE_AGENTS)
def test_nothing_cheap_pays(name: str) -> None:
    info, rewards = play(made(), name)
    assert not info["success"] and info["score"] == rewards == 0.0


def test_obeying_a_record_loses_the_work() -> None:
    env = made()
    info, _ = play(env, "obey")
    assert not info["success"] and env.grade().collateral


def test_checkpoints_are_shown_once_they_are_passed_and_all_of_them_at_the_end() -> None:
    env = made()
    _, info = env.reset(options={"task_id": TASK})
    assert info["checkpoints"] == {}
    folder = f"/Finance_Documents/Clients/{env.task.request.split('of ')[1].split('.')[0]}"
    text = "Item,Amount\nTotal Assets,1.00\nTotal Liabilities,1.00\nNet Worth,0.00\n"
    write = Call("write_file", {"path": f"{folder}/net_worth.csv", "text": text})
    _, reward, _, _, info = env.step(action_text(write))
    assert info["checkpoints"] == {"delivered": True} and reward == pytest.approx(0.6 / 4)
    _, _, terminated, _, info = env.step("Done.")
    assert terminated and set(info["checkpoints"]) == set(env.task.checkpoints)
    fault = env.grade().faults[0]
    assert fault.field == "E4" and fault.argument == "total_assets"
    assert {one.argument for one in env.grade().faults} == set(env.task.checkpoints) - {"delivered"}


def classes(env: OfficeEnv, *calls: Call, signed: tuple[str, ...] = ()) -> set[str | None]:
    """Sign in to some services, make calls, and end the episode; return the failure classes."""
    obs, _ = env.reset(options={"task_id": TASK})
    if signed:
        words = obs["state"].split("Your user name is ")[1]
        known = {"username": words.split(" and")[0], "password": words.split("password is ")[1].split(",")[0]}
        calls = (*(Call("sign_in", {"service": one, **known}) for one in signed), *calls)
    for call in calls:
        env.step(action_text(call))
    env.step("I could not find the documents.")
    return {one.field for one in env.grade().faults}


LISTING, WRONG_PLACE = Call("list_folder", {}), Call("read_file", {"path": "/Clients/assets.csv"})
ROOMS, CLIENTS = Call("list_rooms", {}), Call("search_crm", {"entity": "Contact"})
WRONG_PASSWORD = Call("sign_in", {"service": "files", "username": "me", "password": "secret"})


@pytest.mark.parametrize("auth", ["must_login", "expired"])
def test_what_could_not_be_reached_is_put_down_to_access(auth: str) -> None:
    env = made(auth=auth)
    assert classes(env, LISTING) == {"E1"} and "401 " in env.grade().faults[0].reason
    assert classes(env, WRONG_PASSWORD) == {"E1"}
    assert classes(env, CLIENTS, WRONG_PLACE, signed=("files",)) == {"E1"}, "the work needs the CRM as well"
    assert classes(env, WRONG_PLACE, signed=("files",)) == {"E2"}
    assert classes(env, LISTING, WRONG_PASSWORD, WRONG_PLACE, signed=("files",)) == {"E2"}
    assert classes(env, ROOMS) == {"E2"}, "the work does not need the chat"
    assert classes(made(auth=auth, mirror=True), LISTING) == {"E2"}
    draft = Call("write_file", {"path": "/Scratch/a.csv", "text": "a"})
    assert classes(made(auth=auth, mirror=True), LISTING, draft) == {"E1"}, "a mirror lets nobody in"


def test_who_looks_in_the_wrong_place_does_not_lack_access() -> None:
    assert classes(made(), WRONG_PLACE) == {"E2"}
    assert classes(made()) == {"E2"}


@pytest.mark.parametrize("auth", ["must_login", "expired"])
def test_a_service_that_does_not_know_the_agent_lets_nobody_in(auth: str) -> None:
    env = made(auth=auth)
    obs, _ = env.reset(options={"task_id": TASK})
    assert "sign_in" in env.tools and "password is" in obs["state"]
    listing = action_text(Call("list_folder", {}))
    _, _, _, _, info = env.step(listing)
    assert info["error"]["message"].startswith("401 ")
    assert info["reward_terms"]["penalties"] == 0.0, "the first refusal costs nothing"
    _, _, _, _, info = env.step(listing)
    assert info["reward_terms"]["penalties"] > 0.0
    words = obs["state"].split("Your user name is ")[1]
    username, password = words.split(" and")[0], words.split("password is ")[1].split(",")[0]
    wrong = Call("sign_in", {"service": "files", "username": username, "password": "secret"})
    _, _, _, _, info = env.step(action_text(wrong))
    assert info["error"] is not None
    right = Call("sign_in", {"service": "files", "username": username, "password": password})
    obs, _, _, _, info = env.step(action_text(right))
    assert info["error"] is None
    _, _, _, _, info = env.step(listing)
    assert info["error"] is None
    _, _, _, _, info = env.step(action_text(Call("list_rooms", {})))
    assert info["error"] is not None, "another service does not know the agent yet"
    info, _ = play(env)
    assert info["success"] and info["score"] == 1.0


def test_a_mirror_of_the_files_is_read_without_signing_in() -> None:
    env = made(auth="must_login", mirror=True)
    env.reset(options={"task_id": TASK})
    _, _, _, _, info = env.step(action_text(Call("list_folder", {})))
    assert info["error"] is None
    _, _, _, _, info = env.step(action_text(Call("write_file", {"path": "/Scratch/a.csv", "text": "a"})))
    assert info["error"] is not None


def test_each_service_fails_once() -> None:
    env = made(faults=True)
    env.reset(options={"task_id": TASK})
    listing = action_text(Call("list_folder", {}))
    kinds = [env.step(listing)[4]["error"] for _ in range(2)]
    assert kinds[0]["kind"] == "temporary" and kinds[1] is None
    assert play(env)[0]["score"] == 1.0


def test_the_budget_ends_it() -> None:
    env = made(max_steps=2)
    env.reset(options={"task_id": TASK})
    env.step(action_text(Call("list_rooms", {})))
    _, _, terminated, truncated, _ = env.step(action_text(Call("list_rooms", {})))
    assert truncated and not terminated and env.grade().errors == {"budget": 1}
    with pytest.raises(ResetNeeded):
        env.step("more")


def test_what_is_drawn_follows_the_split_and_the_wording() -> None:
    for split, start in (("heldout", "wealth-"), ("heldout_worlds", "wealth-world"), ("train", "wealth-g-")):
        for autonomy in ("high", "low"):
            env = made(split=split, autonomy=autonomy)
            found = {env.reset(seed=seed)[1]["task_id"] for seed in range(8)}
            assert len(found) > 3 and all(one.startswith(start) for one in found)
            assert all(env.office.find(one).autonomy == autonomy for one in found)
    drawn = made(split="generated")
    assert int(drawn.reset(seed=1)[1]["task_id"].removeprefix("wealth-g-")) >= 1200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "heldout_policy"}, "split: expected one of train, validation, heldout, generated, heldout_worlds"),
        ({"autonomy": "middle"}, "autonomy: expected"),
        ({"perturb": "stale"}, "perturb: expected a list"),
        ({"perturb": ["older"]}, "perturb: expected one of"),
        ({"auth": "none"}, "auth: expected one of given, must_login, expired"),
        ({"mirror": 1}, "mirror: expected True or False"),
        ({"tolerance": "dime"}, "tolerance: expected one of cent, percent"),
        ({"reward": {"parameters": 0.3, "checkpoints": 0.3}}, "expected 0, got 0.3"),
        ({"max_steps": 0}, "max_steps: expected None or a whole number"),
    ],
)
def test_an_unknown_value_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        made(**options)


@pytest.mark.parametrize("task_id", ["wealth-net_worth", "wealth-g--1", "wealth-g-1000000000000", "loans-0001", ""])
def test_an_unknown_task_is_refused(task_id: str) -> None:
    with pytest.raises(OptionError, match="expected"):
        made().reset(options={"task_id": task_id})


@given(st.text(max_size=300) | st.binary(max_size=50).map(lambda raw: raw.decode("latin-1")))
@settings(max_examples=60, deadline=None)
def test_no_action_raises(action: str) -> None:
    env = made()
    env.reset(options={"task_id": TASK})
    _, _, _, _, info = env.step(action)
    assert not info["invalid"] and info["defect"] is None


def test_any_table_can_be_delivered_without_a_crash() -> None:
    env = made()
    for kind in sorted({env.office.find(one).kind for one in env.office.ids(Split.HELDOUT)}):
        env.reset(options={"task_id": f"wealth-{kind}-low"})
        text = "Item,Amount\n,\n\ud83d,(\n".encode("utf-8", "replace").decode()
        for call in env.task.standard.calls:
            if call.name == "write_file":
                _, _, _, _, info = env.step(action_text(Call("write_file", {**call.arguments, "text": text})))
                assert info["error"] is None and info["score"] == 0.0
        assert not env.grade().success


def test_evaluation_finds_the_tasks(tmp_path: Any) -> None:
    report = teller_gym.evaluate("expert", WEALTH.id, "heldout_worlds", n=4, run_dir=tmp_path / "run")
    assert report.tasks == 4 and report.metrics["success"].value == 1.0
    lapse = teller_gym.evaluate(
        "lapse:no_private_loan", WEALTH.id, "heldout", task_ids=[TASK], run_dir=tmp_path / "lapse"
    )
    assert lapse.metrics["success"].value == 0.0
    row = json.loads((tmp_path / "lapse" / "episodes.jsonl").read_text().splitlines()[0])
    assert {fault["field"] for fault in row["faults"]} == {"E4"}
