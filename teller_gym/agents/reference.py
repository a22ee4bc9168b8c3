"""Registry of the reference agents."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from teller_gym.agents.base import NamedAgent
from teller_gym.agents.days import make_day_agent
from teller_gym.agents.explorers import BruteForce, CallEverything, Repeat
from teller_gym.agents.guessers import AlwaysDeny, AlwaysEscalate, Majority, Obey, SkipToDecision
from teller_gym.agents.offices import make_office_agent
from teller_gym.agents.scripted import LAPSE, BruteForceCodes, CleanPath, CleanPathConstant, Expert, Lapsing
from teller_gym.agents.simple import EchoExample, Makers, Noop, RandomValid, unknown_agent
from teller_gym.base.errors import OptionError
from teller_gym.envs.day import DayEnv
from teller_gym.envs.office import OfficeEnv

REFERENCE_AGENTS: Makers = {
    "expert": Expert,
    "noop": Noop,
    "random": RandomValid,
    "call_everything": CallEverything,
    "majority": Majority,
    "always_deny": AlwaysDeny,
    "always_escalate": AlwaysEscalate,
    "repeat": Repeat,
    "skip_to_decision": SkipToDecision,
    "echo_example": EchoExample,
    "brute_force": BruteForce,
    "obey": Obey,
    "brute_force_codes": BruteForceCodes,
    "clean_path": CleanPath,
    "clean_path_constant": CleanPathConstant,
}
"""Reference agents by name: the expert, and agents that take a shortcut as far as possible."""

KNOWING_AGENTS = ("expert", "brute_force_codes", "clean_path", "clean_path_constant")
"""Names of agents that know much of the procedure and may therefore score."""

CHEAP_AGENTS = tuple(name for name in REFERENCE_AGENTS if name not in KNOWING_AGENTS)
"""Names of agents that take a shortcut without knowledge of the procedure, which must not score."""


def make_agent(name: str, env: gym.Env[Any, Any]) -> NamedAgent:
    """Return a reference agent that plays in an env.

    Args:
        name: a name in ``REFERENCE_AGENTS``, or ``lapse:<name>`` for the expert with one of the scenario's lapses.
        env: the env that the agent will play in; it must not be used with another one.

    Raises:
        OptionError: there is no such agent.
    """
    if isinstance(env.unwrapped, DayEnv):
        return make_day_agent(name, env)
    if isinstance(env.unwrapped, OfficeEnv):
        return make_office_agent(name, env)
    lapse = name.removeprefix(LAPSE)
    if name not in REFERENCE_AGENTS and lapse == name:
        raise unknown_agent(name, REFERENCE_AGENTS)
    if not hasattr(env.unwrapped, "grade"):
        raise OptionError(
            f"env: expected one whose episodes are made of calls, got {env}; stage 1 has its own answers, see "
            "teller_gym.agents.graph_answers"
        )
    return REFERENCE_AGENTS[name](env) if lapse == name else Lapsing(env, lapse)
