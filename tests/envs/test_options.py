"""Messages for unknown options list the env's options, whether it is made directly or by Gymnasium."""

from typing import Any

import gymnasium as gym
import pytest

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.envs.options import option_names, refuse_unknown
from teller_gym.registration import DAY, WEALTH

CASES = [
    (WEALTH.id, "autonomi", "autonomy"),
    (WEALTH.id, "spilt", "split"),
    (WEALTH.id, "max_step", "max_steps"),
    (DAY.id, "spilt", "split"),
    (DAY.id, "case", "cases"),
    (DAY.id, "distractor", "distractors"),
    *(
        (env_id, given, meant)
        for env_id in ("Teller-Loans-v0", "Teller-Bank-v0", "Teller-BankWithoutLoans-v0", "Teller-LoansGraph-v0")
        for given, meant in (("spilt", "split"), ("distractor", "distractors"), ("rewards", "reward"))
    ),
]


@pytest.mark.parametrize(("env_id", "given", "meant"), CASES)
def test_an_unknown_option_is_answered_with_the_known_ones(env_id: str, given: str, meant: str) -> None:
    options: dict[str, Any] = {given: "heldout"}
    with pytest.raises(OptionError) as raised:
        gym.make(env_id, **options)
    message = str(raised.value)
    assert message.startswith("option: expected one of ") and "split, " in message and "reward" in message
    assert message.endswith(f"got {given!r}; did you mean {meant!r}?")
    for mode in ("sync", "async"):
        if given == "spilt":
            with pytest.raises(OptionError) as again:
                gym.make_vec(env_id, num_envs=2, vectorization_mode=mode, **options)
            assert str(again.value) == message


@pytest.mark.parametrize("env_id", [WEALTH.id, DAY.id])
def test_what_is_near_nothing_has_no_hint(env_id: str) -> None:
    with pytest.raises(OptionError, match=r"got 'zzz', 'qqq'$"):
        gym.make(env_id, zzz=1, qqq=2)


def test_known_options_are_taken_and_odd_ones_of_the_bank_are_answered_as_before() -> None:
    assert gym.make(DAY.id, split="heldout", policy_shift=False, difficulty=None).unwrapped
    with pytest.raises(OptionError, match="say cases="):
        gym.make(DAY.id, difficulty=(0.1, 0.2))
    assert gym.make(WEALTH.id, split="heldout", autonomy="low").unwrapped


class _Base:
    def __init__(self, one: int, two: int = 2, **unknown: Any) -> None:
        refuse_unknown(type(self), unknown)


class _Passing(_Base):
    def __init__(self, three: int = 3, **options: Any) -> None:
        super().__init__(1, **options)


class _Closed(_Base):
    def __init__(self, four: int = 4) -> None:
        super().__init__(1)


def test_options_that_are_passed_on_are_options() -> None:
    assert option_names(_Passing) == ("three", "one", "two")
    assert option_names(_Closed) == ("four",)
    with pytest.raises(OptionError, match=r"expected one of three, one, two, got 'tow'; did you mean 'two'\?"):
        _Passing(tow=1)


@pytest.mark.parametrize(("scenario", "heldout"), [("day", 20), ("wealth", 24)])
def test_days_and_office_work_are_loaded_as_tasks(scenario: str, heldout: int) -> None:
    first, second = teller_gym.load_tasks(scenario, "heldout", n=2)
    assert first.id != second.id and first.id.startswith(f"{scenario}-")
    fresh = teller_gym.load_tasks(scenario, "generated", n=2, seed=5000)
    assert [one.id for one in fresh] == [f"{scenario}-g-5000", f"{scenario}-g-5001"]
    env = gym.make({"day": DAY.id, "wealth": WEALTH.id}[scenario], split="heldout")
    assert env.reset(options={"task_id": first.id})[1]["task_id"] == first.id
    for options, message in (
        ({"split": "generated"}, "say how many tasks"),
        ({"split": "heldout", "n": 99}, f"has {heldout} "),
        ({"split": "heldout", "n": 0}, "n: expected at least 1 task"),
        ({"split": "heldout_polic"}, "split: expected one of train"),
    ):
        with pytest.raises(OptionError, match=message):
            teller_gym.load_tasks(scenario, **options)


def test_an_unknown_scenario_is_answered_with_all_of_them() -> None:
    with pytest.raises(OptionError, match=r"loans, .*wealth, day, got 'welth'; did you mean 'wealth'\?"):
        teller_gym.load_tasks("welth", "heldout")
    with pytest.raises(OptionError, match=r"loans, .*wealth, got 'lons'; did you mean 'loans'\?"):
        teller_gym.load_scenario("lons")
