"""Composition of the files in `configs/` and command-line overrides to plain values, using Hydra."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import yaml
from hydra import compose as hydra_compose
from hydra import initialize_config_module
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from teller_gym.base.errors import SettingsError
from teller_gym.base.text import did_you_mean
from teller_gym.configuration.envs import NAMED
from teller_gym.configuration.variables import by_name

_NO_NAMES = (bool, int, float)
CONFIGS = "teller_gym.configs"
_PLAIN_LIST = re.compile(r"""\[[^\[\]{}()'"\\$]+\]""")
"""Regular expression for a list that contains no quotes, nested lists or functions."""


@dataclass(frozen=True)
class Composed:
    """Composed configuration before validation.

    Attributes:
        values: settings by key, nested as in the files.
        said: first part of every dotted key that the command line sets, such as ``env`` of ``env.sop``.
        problems: one line for each invalid override; the values are based on the other ones.
    """

    values: dict[str, Any]
    said: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()
    shown: dict[str, Any] = field(default_factory=dict)
    """Like ``values``, but with ``${oc.env:NAME}`` instead of the values of environment variables."""
    variables: dict[str, str] = field(default_factory=dict)
    """Values of the environment variables that were read, by name."""


def recipes() -> list[str]:
    """Return the names of the top-level configuration files."""
    return _names(())


def choices(group: str) -> list[str]:
    """Return the names that can be chosen in a config group."""
    return _names((group,))


def groups_of(name: str) -> list[str]:
    """Return the config groups in the defaults of a top-level file."""
    text = resources.files(CONFIGS).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    found: list[str] = []
    for entry in (yaml.safe_load(text) or {}).get("defaults", []):
        if isinstance(entry, dict):
            # Optional entries follow from other choices and are no groups to choose from.
            found += [key.removeprefix("override ") for key in entry if not key.startswith("optional ")]
        elif entry != "_self_":
            found += groups_of(entry)
    return list(dict.fromkeys(found))


def compose(name: str, words: Sequence[str], lists: Collection[str] = (), texts: Collection[str] = ()) -> Composed:
    """Compose a top-level file of ``configs/`` with command-line overrides.

    Args:
        name: name of the file without suffix.
        words: overrides in Hydra's syntax: ``group=choice``, ``key=value``, ``block.key=value``, ``~key``.
        lists: keys whose lists may be written without brackets, as in ``split=train,heldout``.
        texts: keys whose values are names and never parsed as numbers, such as ``run_dir=1e3``.

    Raises:
        SettingsError: the file does not exist, or the composed values cannot be resolved.
    """
    if name not in recipes():
        raise SettingsError(
            [f"--config-name: expected one of {', '.join(recipes())}, got {name!r}{did_you_mean(name, recipes())}"]
        )
    groups = groups_of(name)
    problems: list[str] = []
    overrides: list[str] = []
    said: list[str] = []
    for word in words:
        try:
            overrides.append(_override(word, groups, lists, texts))
        except SettingsError as error:
            problems += error.problems
            continue
        key = overrides[-1].partition("=")[0]
        if key.startswith("++"):
            said.append(key.removeprefix("++").partition(".")[0])
    try:
        with initialize_config_module(CONFIGS, version_base="1.3"):
            composed = hydra_compose(name, overrides=overrides)
        found = OmegaConf.to_container(composed, resolve=True)
        shown, variables = by_name(composed)
    except (HydraException, OmegaConfBaseException) as error:
        raise SettingsError([*problems, f"configuration {name}: {' '.join(str(error).split())}"]) from error
    assert isinstance(found, dict)
    values = {str(key): value for key, value in found.items()}
    return Composed(values, frozenset(said), tuple(problems), shown, variables)


def _override(word: str, groups: Collection[str], lists: Collection[str], texts: Collection[str]) -> str:
    """Translate an override for Hydra.

    Keys other than groups are set even if no file contains them, since the models check them later.
    """
    if word.startswith("~"):
        return _parsed(word, word)
    name, equals, value = word.partition("=")
    key = name.lstrip("+").strip()
    if not equals or not key:
        raise SettingsError([f"expected key=value, such as env=loans, got {word!r}"])
    if key.partition("@")[0] in groups:
        allowed = choices(key.partition("@")[0])
        if value not in allowed:
            hint = did_you_mean(value, allowed)
            raise SettingsError([f"{key}: expected one of {', '.join(allowed)}, got {value!r}{hint}"])
        return f"{key}={value}"
    key = f"{key}.id" if key in NAMED else key
    if key in lists and "," in value and not value.startswith(("[", "'", '"')):
        value = f"[{value}]"
    override = _parsed(f"++{key}={value}", word)
    return f"++{key}={_as_typed(override, value)}" if key in texts else override


def _as_typed(override: str, value: str) -> str:
    """Quote names in a value that Hydra would otherwise parse as numbers or booleans."""
    found = OverridesParser.create().parse_override(override).value()
    if isinstance(found, _NO_NAMES):
        return _quoted(value.strip())
    if isinstance(found, list) and _PLAIN_LIST.fullmatch(value.strip()):
        items = [item.strip() for item in value.strip()[1:-1].split(",")]
        if len(items) == len(found):
            pairs = zip(items, found, strict=True)
            return f"[{','.join(_quoted(item) if isinstance(one, _NO_NAMES) else item for item, one in pairs)}]"
    return value


def _quoted(item: str) -> str:
    return f"'{item}'"


def _parsed(override: str, word: str) -> str:
    try:
        parsed = OverridesParser.create().parse_override(override)
    except HydraException:
        # The value of extra_body may contain a secret.
        told = "agent.extra_body" if word.lstrip("+").startswith("agent.extra_body") else repr(word)
        raise SettingsError(
            [f"{told} cannot be read; expected key=value, a value with special characters as key='\"value\"'"]
        ) from None
    if parsed.is_sweep_override():
        raise SettingsError([f"{word!r}: expected one value; a list is written [a,b]"])
    return override


def _names(folder: tuple[str, ...]) -> list[str]:
    files = resources.files(CONFIGS).joinpath(*folder).iterdir()
    return sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml"))
