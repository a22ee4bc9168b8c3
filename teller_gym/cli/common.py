"""Common parts of the commands: an argument parser with our own messages, names of environments, JSON on stdout."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec

from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.base.output import json_for
from teller_gym.configuration.envs import env_id_of, env_ids, scenario_of

__all__ = ["Parser", "env_id_of", "env_ids", "print_json", "require", "scenario_of", "tell"]


class Parser(argparse.ArgumentParser):
    """Parser that raises instead of exiting, so that all user mistakes are reported in the same way."""

    def __init__(self, command: str, description: str, example: str) -> None:
        super().__init__(
            prog=f"teller-gym {command}",
            description=description,
            epilog=f"examples:\n{example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse arguments; settings (`key=value`) may be before, between and after options."""
        return self.parse_intermixed_args(list(argv))

    def error(self, message: str) -> NoReturn:
        """Raise an OptionError that points to the help text."""
        raise OptionError(f"{message} ({self.prog} --help shows what is possible)")


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    sys.stdout.write(json_for(sys.stdout, text) + "\n")


def tell(text: object) -> None:
    """Print a line on stderr; a full disk there does not change the exit code."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def require(what: str, extra: str, *packages: str) -> None:
    """Raise a MissingExtraError, which names the extra to install, unless all of the packages are there."""
    if any(importlib.util.find_spec(package) is None for package in packages):
        raise MissingExtraError(what, extra)
