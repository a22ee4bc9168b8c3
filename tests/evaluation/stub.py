"""A tiny env with the interface of the real ones, for tests of evaluation.

A task requires two tools, `look` and `submit`. Its outcome depends on its number.
"""

import contextlib
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import pytest
from gymnasium import spaces

import teller_gym
import teller_gym.evaluation.runs.tasks as chosen
from teller_gym.agents.base import Info, Observation
from teller_gym.base.errors import ErrorKind, OptionError
from teller_gym.grading.faults import Fault, FaultKind
from teller_gym.procedure.task import Split

ENV_ID = "Stub-Errands-v0"
SCENARIO = "errands"
TOOLS = ("look", "submit", "spare")
MAX_STEPS = 6


def make_task(number: int, split: str = "heldout") -> Any:
    outcome = "approved" if number % 3 else "denied"
    standard = SimpleNamespace(outputs={"answer": 42, "verdict": outcome})
    return SimpleNamespace(
        id=f"errands-{number:04}",
        scenario=SCENARIO,
        split=Split(split),
        branches={"route": f"r{number % 2}"},
        standard=standard,
    )


TASKS = {task.id: task for task in [make_task(i) for i in range(12)]}


def load_tasks(scenario: str, split: str, n: int | None = None, seed: int = 0) -> list[Any]:
    assert scenario == SCENARIO
    if split == "generated":
        assert n is not None
        return [make_task(seed + i, split) for i in range(n)]
    return list(TASKS.values())[:n]


class StubEnv(gym.Env[dict[str, str], str]):
    """`look` passes a checkpoint, `submit` with answer 42 ends the episode in success."""

    def __init__(self, split: str = "train", mood: str = "well") -> None:
        self.scenario = SimpleNamespace(name=SCENARIO, output_fields=("verdict", "answer"))
        self.mood = mood
        self.failure: str | None = None
        texts: Any = spaces.Dict({"state": spaces.Text(100), "tool_result": spaces.Text(100)})
        self.observation_space = texts
        self.action_space = spaces.Text(100)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        assert options is not None
        if self.mood == "broken" or options["task_id"] == f"errands-{self.mood}":
            raise RuntimeError("the disk is full")
        self.task = TASKS.get(options["task_id"]) or make_task(int(options["task_id"].rpartition("-")[2]), "generated")
        self.history: list[tuple[str, str]] = []
        self.passed: dict[str, bool] = {}
        self.errors: dict[str, int] = {}
        self.invoked: dict[str, None] = {}
        self.outputs: dict[str, Any] | None = None
        self.collateral: tuple[str, ...] = ()
        return {"state": f"do {self.task.id}", "tool_result": ""}, self._info(None)

    def step(self, action: str) -> Any:
        error: Any = None
        result, over = "", False
        try:
            call = json.loads(action) if action.startswith("{") else None
        except ValueError:
            call, error = {}, {"kind": "malformed", "message": "not JSON", "field": None}
        if call is None:
            over = True
        elif self.mood == "faulty":
            self.failure = f"{call['name']}: ZeroDivisionError: by nothing"
        elif error is None:
            error, result, over = self._run(call)
        if error is not None:
            self.errors[error["kind"]] = self.errors.get(error["kind"], 0) + 1
            result = json.dumps({"error": error})
        self.history.append((action, result))
        truncated = self.failure is not None or (not over and len(self.history) >= MAX_STEPS)
        if truncated:
            self.errors["budget"] = 1
        return {"state": "", "tool_result": result}, 0.0, over, truncated, self._info(error)

    def _run(self, call: dict[str, Any]) -> tuple[Any, str, bool]:
        name, arguments = call["name"], call["arguments"]
        if name not in TOOLS:
            return {"kind": ErrorKind.UNKNOWN_TOOL.value, "message": "no such tool", "field": "name"}, "", False
        self.invoked[name] = None
        if name == "submit":
            if "answer" not in arguments:
                return {"kind": "validation", "message": "missing", "field": "answer"}, "", False
            self.outputs = {"answer": arguments["answer"]}
            self.passed["finish"] = True
        if name == "look":
            self.passed["call:look"] = True
        if name == "spare":
            self.collateral = ("spare/1 was changed",)
        return None, json.dumps({"ok": name}), name == "submit"

    def grade(self) -> Any:
        success = self.outputs == {"answer": 42} and not self.collateral
        terms = {"checkpoints": len(self.passed) / 2, "parameters": 0.5, "outcome": float(success), "penalties": 0.0}
        return SimpleNamespace(
            score=0.6 * terms["checkpoints"] + 0.4 * success, terms=terms, collateral=self.collateral,
            accurate=self.outputs == {"answer": 42}, success=success, clean=success and not self.errors,
            faults=self._faults(success),
            outputs=self.outputs, errors=self.errors, required_tools=("look", "submit"),
            invoked_tools=tuple(self.invoked),
            reasons=tuple(
                SimpleNamespace(checkpoint=name, passed=name in self.passed, reason=f"{name}: because")
                for name in ("call:look", "finish")
            ),
        )  # fmt: skip

    def _faults(self, success: bool) -> tuple[Fault, ...]:
        if success:
            return ()
        missing = Fault(step=len(self.history), kind=FaultKind.MISSING_CALL, tool="submit", reason="never done")
        return (missing,)

    def _info(self, error: Any) -> dict[str, Any]:
        grade = self.grade()
        return {
            "task_id": self.task.id, "scenario": SCENARIO, "step": len(self.history), "error": error,
            "checkpoints": self.passed.copy(), "reward_terms": grade.terms, "score": grade.score,
            "success": grade.success, "invalid": self.failure is not None,
        }  # fmt: skip

    def tool_schemas(self) -> list[dict[str, Any]]:
        return [{"type": "function", "function": {"name": name}} for name in TOOLS]

    def messages(self) -> list[dict[str, Any]]:
        chat: list[dict[str, Any]] = [{"role": "user", "content": f"do {self.task.id}"}]
        for action, result in self.history:
            said: dict[str, Any] = {"role": "assistant", "content": action}
            with contextlib.suppress(ValueError):
                said["tool_calls"] = [{"function": json.loads(action)}]
            chat += [said, {"role": "tool", "content": result}]
        return chat


def call(name: str, **arguments: Any) -> str:
    return json.dumps({"name": name, "arguments": arguments})


GOOD = (call("look"), call("submit", answer=42))


class Scripted:
    """Plays the same actions in every episode."""

    fingerprint = "scripted"
    """Shared by subclasses, so that they can continue each other's runs."""

    def __init__(self, *actions: str, name: str = "scripted") -> None:
        self.name = name
        self._actions = actions
        self.episodes = 0
        self.infos: list[Info] = []

    def reset(self) -> None:
        self.episodes += 1
        self._left = list(self._actions)

    def act(self, obs: Observation, info: Info) -> str:
        self.infos.append(info)
        return self._left.pop(0)


class Batched:
    """A batch agent that calls `look`, then `submit`, with the correct answer only for tasks with an even number."""

    name = "batched"

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.usage: list[dict[str, int]] = []

    def act_batch(self, conversations: list[list[dict[str, Any]]], tools: list[list[dict[str, Any]]]) -> list[str]:
        self.sizes.append(len(conversations))
        assert [len(schemas) for schemas in tools] == [len(TOOLS)] * len(conversations)
        self.usage = [{"prompt": 10 * len(chat), "completion": 7} for chat in conversations]
        return [self._one(chat) for chat in conversations]

    def _one(self, chat: list[dict[str, Any]]) -> str:
        even = int(chat[0]["content"][-4:]) % 2 == 0
        return call("look") if len(chat) == 1 else call("submit", answer=42 if even else 41)


def make_agent(name: str, env: Any) -> Scripted:
    if name != "good":
        raise OptionError(f"agent: expected good, got {name!r}")
    return Scripted(*GOOD, name=name)


def find_task(scenario: str, task_id: str) -> Any:
    """Replace the package's function of this name for the stub's tasks."""
    if task_id not in TASKS:
        raise OptionError(f"task_id: {scenario} has no task {task_id!r}")
    return TASKS[task_id]


@contextlib.contextmanager
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the env, its tasks and the agent `good` as if they were part of the package."""
    entry_point: Any = StubEnv
    gym.register(ENV_ID, entry_point=entry_point)
    monkeypatch.setattr(teller_gym, "__version__", "0", raising=False)
    monkeypatch.setattr(teller_gym, "make_agent", make_agent, raising=False)
    monkeypatch.setattr(chosen, "load_tasks", load_tasks)
    monkeypatch.setattr(chosen, "find_task", find_task)
    yield
    del gym.registry[ENV_ID]
