"""Agents that workers of a cluster import: slow ones, deadly ones, and one of each kind."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.agents.base import Info, Observation, Reply

CALL = '{"name": "get_application_data", "arguments": {}}'
CLOSING = "There is nothing more to do."


class Slow:
    """The expert, in no hurry. It begins once the workers of so many nodes have begun."""

    name = "expert"

    def __init__(self, env: Any, folder: str, nodes: int) -> None:
        self._expert: Any = teller_gym.make_agent("expert", env)
        self._folder = Path(folder)
        self._nodes = nodes

    def reset(self) -> None:
        import ray

        (self._folder / ray.get_runtime_context().get_node_id()).touch()
        deadline = time.monotonic() + 40
        while len(list(self._folder.iterdir())) < self._nodes and time.monotonic() < deadline:
            time.sleep(0.05)
        self._expert.reset()

    def act(self, obs: Observation, info: Info) -> str:
        time.sleep(0.01)
        action: str = self._expert.act(obs, info)
        return action


class Deadly:
    """The expert; one task ends the process."""

    name = "expert"

    def __init__(self, env: Any, task_id: str) -> None:
        self._expert: Any = teller_gym.make_agent("expert", env)
        self._task_id = task_id

    def reset(self) -> None:
        self._expert.reset()

    def act(self, obs: Observation, info: Info) -> str:
        if info["task_id"] == self._task_id:
            os._exit(1)
        action: str = self._expert.act(obs, info)
        return action


def broken(env: Any) -> Any:
    raise RuntimeError("the weights are torn")


class Batched:
    """Calls one tool, then ends; a batch agent."""

    name = "batched"

    def __init__(self, env: Any) -> None:
        self.sizes: list[int] = []

    def act_batch(self, conversations: list[list[dict[str, Any]]], tools: list[list[dict[str, Any]]]) -> list[str]:
        self.sizes.append(len(conversations))
        return [CLOSING if chat[-1]["role"] == "tool" else CALL for chat in conversations]


class Chatty:
    """The same behind what would be an endpoint."""

    name = "chatty"

    def __init__(self, env: Any) -> None:
        self.closed = False

    def open(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], seed: int) -> Chat:
        return Chat()

    async def aclose(self) -> None:
        self.closed = True


class Chat:
    """One chat of it."""

    async def answer(self, results: Sequence[str]) -> Reply:
        return Reply((CLOSING,) if results else (CALL,), {"prompt": 3, "completion": 2})


class Acting:
    """The same, one episode at a time."""

    name = "acting"

    def __init__(self, env: Any) -> None:
        pass

    def reset(self) -> None:
        pass

    def act(self, obs: Observation, info: Info) -> str:
        return CLOSING if obs["tool_result"] else CALL
