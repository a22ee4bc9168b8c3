"""Agents whose episodes have mistakes of every kind, or graphs that are nearly right."""

import json
import random
from typing import Any

from teller_gym.stage1.task import gold_of, pool_of


class Careless:
    """Makes the right calls, with some that are invented, unnecessary or wrong in between; may crash or give up."""

    name = "careless"

    def __init__(self, env: Any) -> None:
        self._core = env.unwrapped
        self._draw = random.Random()

    def seed(self, seed: int) -> None:
        self._draw = random.Random(seed)

    def reset(self) -> None:
        self._calls = [{"name": c.name, "arguments": dict(c.arguments)} for c in self._core.task.standard.calls]

    def act(self, obs: Any, info: Any) -> str:
        drawn = self._draw.random()
        if drawn < 0.07:
            return json.dumps({"name": "open_the_vault", "arguments": {"now": True}})
        if drawn < 0.12:
            return '{"name": "get_application_data", "arguments": {'
        if drawn < 0.17:
            return json.dumps({"name": "add_days", "arguments": {"date": "2026-01-02", "days": 3}})
        if drawn < 0.175:
            raise RuntimeError("the thread is lost")
        if drawn < 0.18 or not self._calls:
            return "I cannot go on with this case."
        call = self._calls.pop(0)
        if drawn < 0.28:
            call["arguments"][self._draw.choice(list(call["arguments"]))] = "something else"
            return f"I look at the case first.\n<tool_call>{json.dumps(call)}</tool_call>"
        return json.dumps(call)


class Roughly:
    """Answers stage 1 with the gold graph, but omits some edges and invents others, and a node."""

    name = "roughly"

    def __init__(self, env: Any) -> None:
        self._core = env.unwrapped

    def reset(self) -> None:
        self._draw = random.Random(self._core.task.id)

    def act(self, obs: Any, info: Any) -> str:
        gold, pool = gold_of(self._core.task), list(pool_of(self._core.task).tools)
        nodes = [*(name for name in gold.nodes if self._draw.random() > 0.1), "made_up_tool"]
        edges = [list(edge) for edge in gold.edges if self._draw.random() > 0.2]
        edges += [[self._draw.choice(pool), self._draw.choice(nodes)] for _ in range(4)]
        return "This is the graph.\n```json\n" + json.dumps({"nodes": nodes, "edges": edges}) + "\n```"
