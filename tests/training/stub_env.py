"""A toy bank desk for training tests: a record is read once and its fields are copied through a chain of calls.

It has the interface of the banking environments (observation, info, ``messages()``, ``tool_schemas()``)
and their shape (a record of 45 fields, calls of eight arguments, a branch that ends some episodes early), but no rules
worth knowing. Importing this module registers ``TellerStub-v0`` with Gymnasium.
"""

import copy
import json
import random
from dataclasses import dataclass
from typing import Any, SupportsFloat

import gymnasium as gym
from gymnasium import spaces

FIELDS = 45
STEPS = 17
ARGUMENTS = 8
STATE = ("task", "step_count", "at", "tries", "earned", "over", "error", "counts", "chat")
"""The parts of an episode."""
WORDS = (
    "north", "south", "amber", "cedar", "delta", "ember", "falcon", "garnet", "harbor", "indigo", "jasper", "lotus",
)  # fmt: skip


def field_name(index: int) -> str:
    """Return the name of a record field, such as ``amber_field_07``."""
    return f"{WORDS[index % len(WORDS)]}_field_{index:02d}"


def tool_name(index: int) -> str:
    """Return the name of the tool that a step of the procedure calls."""
    return f"do_{WORDS[(index * 5) % len(WORDS)]}_{index:02d}"


def arguments_of(step: int) -> dict[str, str]:
    """Return the record fields that the arguments of a step copy, by argument: fixed, so that a model can learn it."""
    chosen = random.Random(step).sample(range(FIELDS), ARGUMENTS - 1)
    return {f"p_{field_name(i)}" if i % 3 else field_name(i): field_name(i) for i in chosen}


@dataclass(frozen=True)
class StubTask:
    """One toy case; ``calls`` is the number of calls its procedure needs, the reading call included."""

    id: str
    scenario: str
    seed: int
    split: str
    record: dict[str, Any]
    receipts: list[str]
    calls: int
    fingerprint: str


def make_task(seed: int, split: str = "generated") -> StubTask:
    """Draw a case from its seed: ids, amounts, dates and words like those in a bank's records."""
    rng = random.Random(f"{split}:{seed}")
    record: dict[str, Any] = {}
    for index in range(FIELDS):
        kinds = (
            lambda: f"{rng.choice('ABCD')}{rng.choice('XYZ')}-{rng.randrange(100000, 999999)}",
            lambda: round(rng.randrange(100, 9_999_999) / 100, 2),
            lambda: f"20{rng.randrange(20, 27)}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}",
            lambda: rng.choice(WORDS),
        )
        record[field_name(index)] = kinds[index % 4]()
    receipts = [f"R{step}-{rng.randrange(1000, 9999)}" for step in range(STEPS + 1)]
    calls = 5 if record[field_name(3)] in WORDS[:4] else rng.choice((12, STEPS + 1))
    record["stages"] = calls
    fingerprint = json.dumps(record, sort_keys=True)
    return StubTask(f"stub-{split}-{seed}", "stub", seed, split, record, receipts, calls, fingerprint)


def expected_call(task: StubTask, step: int) -> dict[str, Any]:
    """Return the expected call: step 0 reads the record, others copy seven fields and the last receipt."""
    if step == 0:
        return {"name": "get_application_data", "arguments": {"application_id": task.id}}
    arguments = {name: task.record[field] for name, field in arguments_of(step).items()}
    arguments["receipt"] = task.receipts[step - 1]
    name = "submit_final_review" if step == task.calls - 1 else tool_name(step)
    return {"name": name, "arguments": arguments}


class StubEnv(gym.Env[dict[str, str], str]):
    """The toy desk; ``split`` chooses the stream of cases and ``max_steps`` the budget of calls."""

    metadata = {"render_modes": []}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(self, split: str = "generated", max_steps: int = 40, **_: Any) -> None:
        self.split, self.max_steps = split, max_steps
        text = spaces.Text(max_length=100_000, charset="abc")
        self.observation_space: Any = spaces.Dict({"state": text, "tool_result": text})
        self.action_space = text
        self.task = make_task(0, split)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """Start the case of ``options["task_id"]`` or of ``seed``."""
        super().reset(seed=seed)
        if options and "task_id" in options:
            _, split, number = str(options["task_id"]).replace("-g-", "-generated-").split("-")
            self.task = make_task(int(number), split)
        else:
            self.task = make_task(int(self.np_random.integers(1 << 30)) if seed is None else seed, self.split)
        self.step_count, self.at, self.tries, self.earned, self.over = 0, 0, 0, 0.0, False
        self.error: dict[str, Any] | None = None
        self.counts: dict[str, int] = {}
        request = f"Please process application {self.task.id}."
        self.chat: list[dict[str, Any]] = [
            {"role": "system", "content": "Read the record, then do the steps in order and submit."},
            {"role": "user", "content": request},
        ]
        return {"state": request, "tool_result": ""}, self.info()

    def step(self, action: str) -> tuple[dict[str, str], SupportsFloat, bool, bool, dict[str, Any]]:
        """Run one call; a wrong argument earns less, a wrong tool is an error, text without a call ends the case."""
        self.step_count += 1
        self.error = None
        before = self.score()
        text = action.replace("<tool_call>", "").replace("</tool_call>", "").strip()
        if "{" not in text:
            self.over = True
            self.chat.append({"role": "assistant", "content": action})
            return {"state": "", "tool_result": ""}, 0.0, True, False, self.info()
        result = self.execute(text)
        terminated, truncated = self.over, not self.over and self.step_count >= self.max_steps
        self.over = terminated or truncated
        content = json.dumps(result, separators=(",", ":"))
        name = self.chat[-1]["tool_calls"][0]["function"]["name"] if "tool_calls" in self.chat[-1] else "unknown"
        self.chat.append({"role": "tool", "name": name, "tool_call_id": f"call_{self.step_count}", "content": content})
        observation = {"state": "", "tool_result": content}
        return observation, self.score() - before, terminated, truncated, self.info()

    def execute(self, text: str) -> dict[str, Any]:
        """Parse and run a call; the chat gains the assistant's message."""
        try:
            call = json.loads(text)
            name, arguments = call["name"], call["arguments"]
            if not isinstance(arguments, dict):
                raise TypeError("arguments must be an object")
        except (ValueError, KeyError, TypeError) as error:
            self.chat.append({"role": "assistant", "content": text})
            return self.fail("malformed", f"could not read the call: {error}")
        function = {"name": name, "arguments": arguments}
        message = {"id": f"call_{self.step_count}", "type": "function", "function": function}
        self.chat.append({"role": "assistant", "content": "", "tool_calls": [message]})
        expected = expected_call(self.task, self.at)
        if name != expected["name"]:
            return self.fail("order", f"expected {expected['name']}")
        if set(arguments) != set(expected["arguments"]):
            return self.fail("validation", "wrong set of arguments")
        right = [arguments[key] == value for key, value in expected["arguments"].items()]
        self.earned += sum(right) / len(right)
        step, self.at = self.at, self.at + 1
        self.over = self.at == self.task.calls
        answer = self.task.record if step == 0 else {"ok": True}
        return {**answer, "receipt": self.task.receipts[step]}

    def fail(self, kind: str, message: str) -> dict[str, Any]:
        """Count an error, and return it as the call's result."""
        self.error = {"kind": kind, "message": message, "field": None}
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return {"error": self.error}

    def score(self) -> float:
        """Return the share of the procedure done with right arguments, minus 0.01 per error."""
        return max(0.0, self.earned / self.task.calls - 0.01 * min(10, sum(self.counts.values())))

    def info(self) -> dict[str, Any]:
        """Return the info dictionary, as the banking environments do."""
        checkpoints = {f"step_{i}": True for i in range(self.at)}
        terms = {"checkpoints": self.at / self.task.calls, "parameters": self.earned / self.task.calls}
        return {
            "task_id": self.task.id, "scenario": "stub", "step": self.step_count, "error": self.error,
            "checkpoints": checkpoints, "reward_terms": terms, "score": self.score(),
            "success": self.earned > self.task.calls - 1e-6, "invalid": False,
        }  # fmt: skip

    def messages(self) -> list[dict[str, Any]]:
        return self.chat

    def tool_schemas(self) -> list[dict[str, Any]]:
        schemas = []
        for step in range(STEPS + 1):
            properties = {name: {"type": "string"} for name in arguments_of(step)}
            parameters = {"type": "object", "properties": properties, "required": list(properties)}
            function = {"name": tool_name(step), "description": "A toy step.", "parameters": parameters}
            schemas.append({"type": "function", "function": function})
        return schemas

    def snapshot(self) -> dict[str, Any]:
        return copy.deepcopy({name: getattr(self, name) for name in STATE})

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Go back to a snapshot of this or another desk."""
        self.__dict__.update(copy.deepcopy(snapshot))


class StubExpert:
    """Answers with the right call at every step."""

    name = "expert"

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self.env = env.unwrapped

    def reset(self) -> None:
        """Nothing to forget."""

    def act(self, observation: dict[str, str], info: dict[str, Any]) -> str:
        assert isinstance(self.env, StubEnv)
        return json.dumps(expected_call(self.env.task, self.env.at))


if "TellerStub-v0" not in gym.registry:
    gym.register("TellerStub-v0", entry_point=StubEnv, disable_env_checker=True, order_enforce=False)
