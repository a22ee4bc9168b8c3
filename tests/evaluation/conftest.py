"""Register the stub env and its tasks for the tests of this folder."""

from collections.abc import Iterator

import gymnasium as gym
import pytest

import teller_gym
import teller_gym.evaluation.tasks as chosen
from tests.evaluation import stub


@pytest.fixture(autouse=True)
def stub_env(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    gym.register(stub.ENV_ID, entry_point=stub.StubEnv)
    monkeypatch.setattr(teller_gym, "__version__", "0", raising=False)
    monkeypatch.setattr(chosen, "load_tasks", stub.load_tasks)
    monkeypatch.setattr(chosen, "frozen_tasks", lambda scenario: stub.TASKS)
    yield
    del gym.registry[stub.ENV_ID]
