"""Parser for command-line settings in Hydra's syntax, `key=value` and `group.key=value`, without Hydra.

Values are YAML: numbers, true and false, null, text, lists such as `[a,b]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean

_INTEGER = re.compile(r"[+-]?\d+")
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False, "null": None, "~": None}


def read_overrides(
    arguments: Iterable[str], settings: Mapping[str, type], groups: Iterable[str], example: str
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Parse arguments into settings and options by group.

    Args:
        settings: type of each setting, `str` (not converted) or `int`.
        groups: names of groups with arbitrary keys (`group.key=value`), which the caller must check.
        example: example setting for error messages.

    Raises:
        OptionError: a setting does not exist, is given twice, or has a value of the wrong type.
    """
    found: dict[str, Any] = {}
    grouped: dict[str, dict[str, Any]] = {group: {} for group in groups}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        # Hydra requires `+` for keys that are not in its config; here it has no effect.
        name = name.removeprefix("+").strip()
        if not equals or not name:
            hint = did_you_mean(name, settings)
            raise OptionError(f"expected key=value, such as {example}, got {argument!r}{hint}")
        group, dot, key = name.partition(".")
        if dot and key and group in grouped:
            place, value = grouped[group], parse_value(text)
        elif name in settings:
            place, key, value = found, name, _typed(name, text, settings[name])
        else:
            allowed = [*settings, *(f"{group}.<option>" for group in grouped)]
            raise OptionError(
                f"{name!r} is no setting; expected one of {', '.join(allowed)}{did_you_mean(name, settings)}"
            )
        if key in place:
            raise OptionError(f"{name} is given twice")
        place[key] = value
    return found, grouped


def parse_value(text: str) -> Any:
    """Parse a value like Hydra."""
    if not text:
        return ""
    try:
        return _plain(yaml.load(text, yaml.BaseLoader))
    except yaml.YAMLError:
        raise OptionError(f"expected a value such as 3, true, text or [a,b], got {text!r}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if not isinstance(value, str):
        return value
    if value.lower() in _WORDS:
        return _WORDS[value.lower()]
    if _INTEGER.fullmatch(value):
        return int(value)
    try:
        return float(value)
    except ValueError:
        return value


def _typed(name: str, text: str, kind: type) -> Any:
    if not text:
        raise OptionError(f"{name}: expected {'text' if kind is str else 'a whole number'}, got nothing")
    if _WORDS.get(text.lower(), text) is None:
        return None
    if kind is str:
        return text
    if not _INTEGER.fullmatch(text):
        raise OptionError(f"{name}: expected a whole number, got {text!r}")
    return int(text)
