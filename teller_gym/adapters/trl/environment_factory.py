"""Environment classes for TRL's own rollout loop, with the tools as methods."""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from teller_gym.adapters.trl.dataset import make_training_env, task_of
from teller_gym.agents.chat import Schema
from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown
from teller_gym.envs.bank import BankEnv
from teller_gym.envs.contract import contract_of
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import GRPO_SEEDS, LeakGuard, generated_id

logger = logging.getLogger(__name__)

PROBES = 3
"""Number of tasks whose tools are compared before training starts."""
OVER = json.dumps({"error": "the case is closed: nothing more can be done"})
BROKE = json.dumps({"error": "the environment broke: nothing more can be done"})


class CallableSchema(dict[str, Any]):
    """Tool for TRL that can be called like a method and is shown to the model as a JSON schema.

    TRL passes an environment's methods to the chat template, which derives a schema from signature and docstring unless
    the tool is a dictionary. A dictionary keeps patterns, ranges and names that a signature cannot express.

    Args:
        schema: schema of the tool in OpenAI's function format.
        run: function that is called with the tool's name and the arguments.
    """

    def __init__(self, schema: Schema, run: Callable[[str, dict[str, Any]], str]) -> None:
        super().__init__(copy.deepcopy(schema))
        self.__name__ = str(schema["function"]["name"])
        self.__doc__ = str(schema["function"].get("description", ""))
        self._run = run

    def __call__(self, /, **arguments: Any) -> str:
        """Call the tool and return its result as JSON text."""
        return self._run(self.__name__, arguments)


class ToolEnvironment:
    """Base class of the environments for TRL.

    `environment_factory` makes subclasses with the tools of a scenario. TRL treats every public function of the class
    except `reset` and `get_reward` as a tool.
    """

    _make: ClassVar[Callable[[], Any]]
    _schemas: ClassVar[list[Schema]]
    _guard: ClassVar[LeakGuard]

    def __init__(self) -> None:
        self._env: Any = None
        self._over = True
        self._score: float | None = None
        for schema in self._schemas:
            # The attribute hides the class's function with the same name.
            setattr(self, schema["function"]["name"], CallableSchema(schema, self._call))

    def reset(self, prompt: Any = None, task_id: str | None = None, **_: Any) -> None:
        """Start the task of a row in the data set.

        Args:
            prompt: messages of the row; the last one contains the request and, without ``task_id``, names the task.
            task_id: id of the task.

        Raises:
            OptionError: no task is named, the prompt does not contain its request, or the task has different tools.
            LeakError: the task is in an evaluation split.
        """
        task_id = task_of(prompt) if task_id is None else task_id
        self._env = self._env or type(self)._make()
        _, info = self._env.reset(options={"task_id": task_id})
        core = contract_of(self._env)
        self._guard.check(core.task)
        if core.tool_schemas() != self._schemas:
            raise _other_tools(task_id)
        request = str(core.messages()[-1]["content"])
        if prompt is not None and request not in str(prompt[-1]["content"]):
            raise OptionError(
                f"prompt: expected the request of {task_id}, got {shown(prompt[-1]['content'])}; make the training "
                "data with tasks_dataset(…, chats='full') and the options of the environment"
            )
        self._over, self._score = False, float(info["score"])

    def get_reward(self) -> float | None:
        """Return the score so far, from 0 to 1, or None for an invalid episode, which TRL ignores."""
        return self._score

    def _call(self, name: str, arguments: dict[str, Any]) -> str:
        if self._over:
            return OVER
        try:
            action = json.dumps({"name": name, "arguments": arguments})
            observation, _, terminated, truncated, info = self._env.step(action)
        except Exception:
            # A failure of the package is logged and must not affect the rewards.
            logger.exception("an episode broke at a call of %s", name)
            self._over, self._score = True, None
            return BROKE
        self._over = bool(terminated or truncated or info["invalid"])
        self._score = None if info["invalid"] else float(info["score"])
        return str(observation["tool_result"])


def environment_factory(env_id: str, *, guard: LeakGuard | None = None, **options: Any) -> type[ToolEnvironment]:
    """Return a class for TRL's ``GRPOTrainer(environment_factory=…)`` with a scenario's tools as methods.

    TRL plays the episodes itself. docs/train/own_trainer.md describes the limitations: only the model can end an
    episode, a malformed call ends it immediately, and rollouts that run out of tokens are not reported.

    Args:
        env_id: environment of one scenario, such as Teller-Loans-v0. For several scenarios, give TRL a dictionary of
            such classes, and the rows a column ``environment`` with a key of the dictionary.
        guard: guard against evaluation tasks; None uses the package's own.
        **options: options of the environment's constructor. The tools must be the same in every episode, so
            schema_shift and sampled distractors are rejected.

    Returns:
        The class. Its name contains the scenario and is used for the reward in TRL's log.

    Raises:
        OptionError: a value is invalid, there are several scenarios, or tools differ between tasks.

    Example::

        trainer = GRPOTrainer(
            model="Qwen/Qwen3-0.6B",
            args=GRPOConfig(num_generations=8, chat_template_kwargs={"enable_thinking": False}),
            train_dataset=tasks_dataset("Teller-Loans-v0", 1_000, chats="full"),
            environment_factory=environment_factory("Teller-Loans-v0"),
        )
    """
    env = make_training_env(env_id, options)
    core: Any = contract_of(env)
    if isinstance(core, BankEnv) or core.stage != 2:
        raise OptionError(
            f"env_id: expected an environment of one scenario's execution, such as Teller-Loans-v0, got {env_id}; for "
            "several, give TRL a dictionary of factories and the rows a column 'environment', or take rollout_func"
        )
    (scenario,) = Mixture.in_env(env).weights
    schemas = _common_schemas(env, [generated_id(scenario, GRPO_SEEDS + number) for number in range(PROBES)])
    env.close()
    members: dict[str, Any] = {
        "_make": staticmethod(lambda: make_training_env(env_id, options)),
        "_schemas": schemas,
        "_guard": guard or LeakGuard(),
        "__doc__": f"The desk of {env_id}, as TRL plays it; see `environment_factory`.",
        "__module__": __name__,
    }
    return type(f"{scenario.title().replace('_', '')}Desk", (ToolEnvironment,), members | _methods(schemas))


def _common_schemas(env: Any, task_ids: Sequence[str]) -> list[Schema]:
    """Return the tool schemas that all tasks have in common.

    Raises:
        OptionError: the schemas differ between tasks.
    """
    found: list[Schema] | None = None
    for task_id in task_ids:
        env.reset(options={"task_id": task_id})
        schemas = contract_of(env).tool_schemas()
        if found is not None and schemas != found:
            raise _other_tools(task_id)
        found = schemas
    return found or []


def _other_tools(task_id: str) -> OptionError:
    return OptionError(
        f"the tools of {task_id} are not those of other tasks, and TRL shows every episode the same ones: leave out "
        "schema_shift, take distractors=0 or 'all', or train with rollout_func, which shows each episode its own"
    )


def _methods(schemas: Sequence[Schema]) -> dict[str, Any]:
    """Return a function for each tool, by which TRL recognises the tools of a class.

    Raises:
        OptionError: TRL would not accept one of the names as a tool.
    """
    found = {}
    for schema in schemas:
        name = str(schema["function"]["name"])
        if name.startswith("_") or hasattr(ToolEnvironment, name):
            raise OptionError(
                f"tool {name!r}: expected another name, since TRL takes no method of this one for a tool; rename it, "
                "or train with rollout_func"
            )
        found[name] = _method(schema)
    return found


def _method(schema: Schema) -> Callable[..., str]:
    name = str(schema["function"]["name"])

    def method(self: ToolEnvironment, /, **arguments: Any) -> str:
        return self._call(name, arguments)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = str(schema["function"].get("description", ""))
    return method
