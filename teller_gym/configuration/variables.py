"""Environment variables in configurations (`${oc.env:NAME}`), whose names are shown but never their values."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from omegaconf.resolvers import oc

from teller_gym.base.errors import SettingsError
from teller_gym.base.scrub import SECRET_FROM, Scrubber

_RESOLVER = "oc.env"
_LEFT, _RIGHT = "\ue000", "\ue001"
"""Private-use characters that mark a variable's name while the configuration is resolved."""
_CUT = "…"
"""Mark at the end of a text that was shortened in a message."""
_LEAST = 4
"""Minimum length of a value's prefix that is replaced, since shorter ones reveal little and occur by chance."""


def by_name(config: DictConfig) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a composed configuration with variable names instead of their values, and the values by name."""
    found: dict[str, str] = {}

    def name_of(key: str, default: Any = None) -> str:
        found[key] = os.environ.get(key, "" if default is None else str(default))
        return f"{_LEFT}{key}{_RIGHT}"

    OmegaConf.register_new_resolver(_RESOLVER, name_of, replace=True)
    try:
        shown: Any = OmegaConf.to_container(config, resolve=True)
    except OmegaConfBaseException:
        # Some resolvers, such as oc.decode, do not accept a name instead of the value; leave all unresolved.
        shown = OmegaConf.to_container(config, resolve=False)
    finally:
        OmegaConf.register_new_resolver(_RESOLVER, oc.env, replace=True)
    return _written(shown), found


def _written(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _written(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_written(one) for one in value]
    if isinstance(value, str):
        return value.replace(_LEFT, "${oc.env:").replace(_RIGHT, "}")
    return value


def named(values: Any, shown: Any) -> Any:
    """Return validated values with variable names wherever the composed configuration has them."""
    if isinstance(values, dict) and isinstance(shown, dict):
        return {name: named(one, shown.get(name)) for name, one in values.items()}
    if isinstance(values, list) and isinstance(shown, list) and len(values) == len(shown):
        return [named(one, other) for one, other in zip(values, shown, strict=True)]
    if isinstance(values, list) and len(values) == 1:
        return [named(values[0], shown)]
    return shown if isinstance(shown, str) and "${oc." in shown else values


def without_values(text: str, variables: Mapping[str, str]) -> str:
    """Replace values of variables in a message by their names.

    Short values are replaced only after "got".
    """
    for name, value in sorted(variables.items(), key=lambda one: -len(one[1])):
        written = f"${{oc.env:{name}}}"
        if len(value) >= SECRET_FROM:
            text = _without_beginnings(Scrubber([value], mark=written).text(text), value, written)
        elif value:
            before, got, after = text.rpartition("got ")
            text = before + got + re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", lambda _: written, after)  # noqa: B023
    return text


def _without_beginnings(text: str, value: str, written: str) -> str:
    """Replace the prefix of a value that remains where a message was shortened."""
    *cut, rest = text.split(_CUT)
    spellings = (value, repr(value)[1:-1], json.dumps(value)[1:-1])
    for place, piece in enumerate(cut):
        # The longest prefix of a spelling with which the piece ends.
        lengths = (
            next((n for n in range(len(one), _LEAST - 1, -1) if piece.endswith(one[:n])), 0) for one in spellings
        )
        if longest := max(lengths):
            cut[place] = piece[:-longest] + written
    return _CUT.join([*cut, rest])


@contextmanager
def naming_variables(variables: Mapping[str, str]) -> Iterator[None]:
    """Replace variable values by names in the messages of exceptions that leave the block."""
    try:
        yield
    except Exception as error:
        if variables:
            for one in _with_causes(error):
                _name(one, variables)
        raise


def _with_causes(error: BaseException) -> list[BaseException]:
    """Return an exception with its causes and contexts, all of which appear in a traceback."""
    found: list[BaseException] = []
    left: list[BaseException | None] = [error]
    while left:
        one = left.pop()
        if one is not None and one not in found:
            found.append(one)
            left += [one.__cause__, one.__context__]
    return found


def _name(error: BaseException, variables: Mapping[str, str]) -> None:
    def told(value: Any) -> Any:
        return without_values(value, variables) if isinstance(value, str) else value

    if isinstance(error, SettingsError):
        error.problems = tuple(map(told, error.problems))
    error.args = tuple(map(told, error.args))
    if isinstance(error, OSError):  # its message is not built from its arguments
        for part in ("strerror", "filename", "filename2"):
            if isinstance(getattr(error, part), str):
                setattr(error, part, told(getattr(error, part)))
