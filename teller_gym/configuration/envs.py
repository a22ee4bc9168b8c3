"""Environments in configurations and commands, with short names, ids and constructor options."""

from __future__ import annotations

import importlib
import re
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.envs.options import option_names

NAMED = ("env", "agent")
"""Groups whose `id` may be set through the group's name: ``env=loans`` means ``env.id=loans``."""


def env_ids() -> dict[str, str]:
    """Return the ids of all environments of this package by short name, such as `loans` for `Teller-Loans-v0`."""
    assert teller_gym  # its import registers the ids
    found = {}
    for env_id, spec in gym.registry.items():
        if str(spec.entry_point).startswith("teller_gym."):
            core = re.sub(r"^Teller-|-v\d+$", "", env_id)
            found[re.sub(r"(?<=[a-z])(?=[A-Z])", "_", core).lower()] = env_id
    return found


def import_registering(module: str, name: str) -> None:
    """Import the module before the colon in a name such as ``my.module:card_limits``."""
    if not re.fullmatch(r"\w+(\.\w+)*", module):
        raise OptionError(f"expected a module before the colon, such as my.module:card_limits, got {name!r}")
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise OptionError(f"{name}: {error}; is its folder on PYTHONPATH?") from None


def env_id_of(name: str) -> str:
    """Return the id of an environment, given its short name or id.

    A prefix ``module:`` imports that module first.

    Raises:
        OptionError: there is no such environment, or the module cannot be imported.
    """
    module, colon, rest = name.rpartition(":")
    if colon:
        try:
            import_registering(module, name)
        except OptionError as error:
            raise OptionError(f"env: {error}") from None
        return env_id_of(rest)
    known = env_ids()
    if name in known:
        return known[name]
    if name in gym.registry:
        return name
    hint = did_you_mean(name, [*known, *known.values()])
    raise OptionError(f"env: expected one of {', '.join(known)} or an environment's id, got {name!r}{hint}")


def scenario_of(name: str) -> str:
    """Return the scenario of an environment, given its short name or id.

    Raises:
        OptionError: the environment has no single scenario.
    """
    env_id = env_id_of(name)
    scenario = gym.spec(env_id).kwargs.get("scenario")
    if scenario is None:
        raise OptionError(f"env: {env_id} plays no single scenario")
    return str(scenario)


_OURS = ("scenario", "split", "render_mode")
"""Options of environments that callers set and users cannot."""


def stage_of(env_id: str) -> int:
    """Return 1 for an environment of graph reconstruction, or 2 for one of tool calls."""
    return int(getattr(_maker(env_id), "stage", 2))


def options_of(env_id: str) -> list[str]:
    """Return the constructor options that users can set, including those that the class passes to another class."""
    return [name for name in option_names(_maker(env_id)) if name not in _OURS]


def _maker(env_id: str) -> Any:
    entry: Any = gym.spec(env_id).entry_point
    return load_env_creator(entry) if isinstance(entry, str) else entry
