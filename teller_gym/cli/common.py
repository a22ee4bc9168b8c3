"""What the commands share: an argument parser whose complaints are ours, names of environments, JSON on stdout."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import gymnasium as gym
import msgspec

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of exiting, so that every mistake of a user is told the same way."""

    def __init__(self, command: str, description: str, example: str) -> None:
        super().__init__(
            prog=f"teller-gym {command}",
            description=description,
            epilog=f"examples:\n{example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse arguments; settings (`key=value`) may stand before, between and after options."""
        return self.parse_intermixed_args(list(argv))

    def error(self, message: str) -> NoReturn:
        """Raise an OptionError that names the way to the help text."""
        raise OptionError(f"{message} ({self.prog} --help shows what is possible)")


def env_ids() -> dict[str, str]:
    """Short name and id of every environment of this package, such as `loans` and `Teller-Loans-v0`."""
    assert teller_gym  # importing it registers the ids
    found = {}
    for env_id, spec in gym.registry.items():
        if str(spec.entry_point).startswith("teller_gym."):
            core = re.sub(r"^Teller-|-v\d+$", "", env_id)
            found[re.sub(r"(?<=[a-z])(?=[A-Z])", "_", core).lower()] = env_id
    return found


def env_id_of(name: str) -> str:
    """The id of an environment given by its short name or its id; ``module:`` before either imports a module first.

    Raises:
        OptionError: there is no such environment or module.
    """
    module, colon, rest = name.rpartition(":")
    if colon:
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            raise OptionError(f"env: {error}; is its folder on PYTHONPATH?") from None
        return env_id_of(rest)
    known = env_ids()
    if name in known:
        return known[name]
    if name in gym.registry:
        return name
    hint = did_you_mean(name, [*known, *known.values()])
    raise OptionError(f"env: expected one of {', '.join(known)} or an environment's id, got {name!r}{hint}")


def scenario_of(name: str) -> str:
    """The scenario of an environment given by its short name or its id.

    Raises:
        OptionError: there is no such environment, or it plays no single scenario.
    """
    env_id = env_id_of(name)
    scenario = gym.spec(env_id).kwargs.get("scenario")
    if scenario is None:
        raise OptionError(f"env: {env_id} plays no single scenario")
    return str(scenario)


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
