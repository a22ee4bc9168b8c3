"""Replays the expert on the results in a chat and returns its next turn."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, cast

import gymnasium as gym
import msgspec

import teller_gym
from teller_gym.agents.days import DayOfficer
from teller_gym.agents.graph_answers import gold
from teller_gym.agents.reference import make_agent
from teller_gym.agents.scripted import LAPSE
from teller_gym.expert_server.chat import BadRequestError, Chat
from teller_gym.expert_server.finding import Found, find
from teller_gym.expert_server.mistakes import Mistake, Spoilt, mistake_for, spoil
from teller_gym.office_tasks.contract import load_office
from teller_gym.procedure.officer import Steps
from teller_gym.registration import OFFICES, WEALTH, execution_card
from teller_gym.registration import SCENARIOS as ENTRIES
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import action_text

Act = Callable[[str], str]
"""Function from the last result, empty in the first turn, to the next action as text."""

_MAX_STEPS = 1_000


class ExpertPlayer:
    """Responds to chats as the expert.

    Args:
        mistakes: share of tasks with one mistake, 0 to 1.
        seed: seed of the mistakes.
        options: options of the client's envs that change tool names or results.
    """

    def __init__(self, mistakes: float = 0.0, seed: int = 0, options: Mapping[str, Any] | None = None) -> None:
        self._share = mistakes
        self._seed = seed
        self._options = dict(options or {})
        self._envs: dict[str, gym.Env[Any, Any]] = {}
        self._lapse_of = lru_cache(maxsize=4096)(self._costly_lapse)

    def next_turn(self, chat: Chat) -> str | Spoilt:
        """Return the next action as text, or a turn with a mistake."""
        found = find(chat, self._options)
        mistake = mistake_for(found.key, self._share, self._seed)
        if found.kind == "graph":
            return gold(found.task) if mistake is None else spoil("", "cut" if mistake.kind == "cut" else "early")
        act = self._begin(found, chat, mistake)
        action = act("")
        for number, result in enumerate(chat.results):
            if mistake is not None and mistake.kind != "lapse" and number > mistake.turn:
                return "The work is done."  # the mistake is not corrected
            action = act(result)
        if mistake is not None and mistake.kind != "lapse" and len(chat.results) == mistake.turn:
            return spoil(action, mistake.kind)
        return action

    def _begin(self, found: Found, chat: Chat, mistake: Mistake | None) -> Act:
        lapse = None
        if mistake is not None and mistake.kind == "lapse":
            lapse = self._lapse_of(found.kind, found.scenario, found.task.id if found.task else "", mistake.order)
        if found.kind == "day":
            officer = DayOfficer(cast(Any, None))
            return lambda result: officer.act({"state": chat.user, "tool_result": _first_value(result)}, {})
        if found.kind == "office":
            office = load_office(OFFICES[found.scenario])
            steps = office.expert(found.task, signs_in=True) if lapse is None else office.lapsing(found.task, lapse)
            return _driven(steps)
        env = self._env(execution_card(ENTRIES[found.scenario]).id)
        # A generated case has the usual policy and schema, like every case of train.
        task_id = next(iter(frozen_tasks(found.scenario))) if found.task is None else found.task.id
        env.reset(options={"task_id": task_id})
        core = cast(Any, env.unwrapped)
        self._expect_tools(chat, tuple(core.tools))
        agent = make_agent("expert" if lapse is None else f"{LAPSE}{lapse}", env)
        title = f"\n\n# {core.scenario.title}"
        request = chat.user.partition(title)[0] if found.task is None else found.task.request
        return lambda result: agent.act({"state": f"{request}{title}", "tool_result": result}, {})

    def _expect_tools(self, chat: Chat, known: tuple[str, ...]) -> None:
        """Raise ``BadRequestError`` unless most of the offered tools have the names that the expert would call."""
        if chat.tools is None:
            return
        missing = [name for name in known if name not in set(chat.tools)]
        if len(missing) * 2 > len(known):
            raise BadRequestError(
                f"the tools offered are not called as this server knows them ({missing[0]} is missing, and "
                f"{len(missing) - 1} more): start it with the client's option, such as --env-option schema_shift=true"
            )

    def _env(self, env_id: str) -> gym.Env[Any, Any]:
        if env_id not in self._envs:
            assert teller_gym.__version__  # importing the package registers its ids
            options = {} if env_id == WEALTH.id else {**self._options, "distractors": 0}
            self._envs[env_id] = gym.make(env_id, **options)
        return self._envs[env_id]

    def _costly_lapse(self, kind: str, scenario: str, task_id: str, order: int) -> str | None:
        """Return the name of a lapse that makes a task fail, or None if there is none."""
        if not task_id or kind == "day":
            return None
        env = self._env(WEALTH.id if kind == "office" else execution_card(ENTRIES[scenario]).id)
        env.reset(options={"task_id": task_id})
        core = cast(Any, env.unwrapped)
        names: list[str] = sorted(core.office.lapses(core.task) if kind == "office" else core.scenario.lapses)
        first = order % len(names) if names else 0
        for name in (*names[first:], *names[:first]):
            if not _succeeds(env, task_id, f"{LAPSE}{name}"):
                return name
        return None


def _succeeds(env: gym.Env[Any, Any], task_id: str, name: str) -> bool:
    obs, info = env.reset(options={"task_id": task_id})
    agent = make_agent(name, env)
    for _ in range(_MAX_STEPS):
        obs, _, terminated, truncated, info = env.step(agent.act(obs, info))
        if terminated or truncated:
            break
    return bool(info["success"])


def _driven(steps: Steps) -> Act:
    """Return a function that sends parsed results to a generator and returns its next call as text."""
    begun = False

    def act(result: str) -> str:
        nonlocal begun
        try:
            found = msgspec.json.decode(_first_value(result) or "{}")
            call = steps.send(found if isinstance(found, dict) else {}) if begun else next(steps)
        except (StopIteration, LookupError, ArithmeticError, ValueError):
            return "The work is done."
        begun = True
        return action_text(call)

    return act


def _first_value(result: str) -> str:
    """Return the first JSON value in a result.

    In a working day with calls as text, a list of tools may follow it.
    """
    with suppress(ValueError):
        return result[: json.JSONDecoder().raw_decode(result)[1]]
    return result
