"""Environments as a configuration or a command names them: short names, ids, and the options that they take."""

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
"""Groups of options that a word may name as a whole: ``env=loans`` is ``env.id=loans``."""


def env_ids() -> dict[str, str]:
    """Short name and id of every environment of this package, such as `loans` and `Teller-Loans-v0`."""
    assert teller_gym  # importing it registers the ids
    found = {}
    for env_id, spec in gym.registry.items():
        if str(spec.entry_point).startswith("teller_gym."):
            core = re.sub(r"^Teller-|-v\d+$", "", env_id)
            found[re.sub(r"(?<=[a-z])(?=[A-Z])", "_", core).lower()] = env_id
    return found


def import_registering(module: str, name: str) -> None:
    """Import the module before the colon of a name such as ``my.module:card_limits``."""
    if not re.fullmatch(r"\w+(\.\w+)*", module):
        raise OptionError(f"expected a module before the colon, such as my.module:card_limits, got {name!r}")
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise OptionError(f"{name}: {error}; is its folder on PYTHONPATH?") from None


def env_id_of(name: str) -> str:
    """Return the id of an environment given by its short name or its id; ``module:`` before either imports a module
    first.
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
    """Return the scenario of an environment given by its short name or its id."""
    env_id = env_id_of(name)
    scenario = gym.spec(env_id).kwargs.get("scenario")
    if scenario is None:
        raise OptionError(f"env: {env_id} plays no single scenario")
    return str(scenario)


_OURS = ("scenario", "split", "render_mode")
"""Options of environments that the program playing in them gives."""


def stage_of(env_id: str) -> int:
    """Return 1 for an environment whose episodes ask for the graph, 2 for one whose episodes are made of calls."""
    return int(getattr(_maker(env_id), "stage", 2))


def options_of(env_id: str) -> list[str]:
    """Return the options of the constructor; a class that passes options on to the one it is made of takes that
    one's, too.
    """
    return [name for name in option_names(_maker(env_id)) if name not in _OURS]


def _maker(env_id: str) -> Any:
    entry: Any = gym.spec(env_id).entry_point
    return load_env_creator(entry) if isinstance(entry, str) else entry
