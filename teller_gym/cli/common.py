"""Shared helpers for the commands: argument parser and output."""

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


class Parser(argparse.ArgumentParser):
    """Argument parser that raises OptionError instead of exiting.

    All mistakes are therefore reported in the same way.
    """

    def __init__(self, command: str, description: str, example: str) -> None:
        super().__init__(
            prog=f"teller-gym {command}",
            description=description,
            epilog=f"examples:\n{example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse arguments, in which settings (`key=value`) and options may occur in any order."""
        return self.parse_intermixed_args(list(argv))

    def error(self, message: str) -> NoReturn:
        """Raise an OptionError that refers to `--help`."""
        raise OptionError(f"{message} ({self.prog} --help shows what is possible)")


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    sys.stdout.write(json_for(sys.stdout, text) + "\n")


def tell(text: object) -> None:
    """Print a line to stderr, ignoring errors such as a full disk."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def require(what: str, extra: str, *packages: str) -> None:
    """Raise a MissingExtraError that names the extra to install, unless all packages are installed."""
    if any(importlib.util.find_spec(package) is None for package in packages):
        raise MissingExtraError(what, extra)
