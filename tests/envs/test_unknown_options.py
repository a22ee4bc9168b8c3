"""Messages for unknown options of bank envs and stage 1: they list the allowed names."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

import teller_gym
from teller_gym.base.errors import OptionError


@pytest.mark.parametrize(
    "env_id", ["Teller-Loans-v0", "Teller-Bank-v0", "Teller-BankWithoutLoans-v0", "Teller-LoansGraph-v0"]
)
@pytest.mark.parametrize(("given", "meant"), [("spilt", "split"), ("distractor", "distractors"), ("rewards", "reward")])
def test_an_unknown_option_is_answered_with_the_nearest(env_id: str, given: str, meant: str) -> None:
    options: dict[str, Any] = {given: 1}
    with pytest.raises(OptionError, match=rf"expected one of .*got '{given}'; did you mean '{meant}'"):
        gym.make(env_id, **options)


def test_the_public_names_are_listed() -> None:
    assert set(teller_gym.__all__) <= set(dir(teller_gym))
    assert "make_agent" in dir(teller_gym)
