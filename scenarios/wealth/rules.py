"""Renders the handbook from the numbers of the house rules.

Each chapter is a folder with ``rules.yaml`` (numbers) and ``chapter.txt`` (text with placeholders for them). Checks,
solvers and experts use the same ``rules.yaml``, so they agree with the text.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec

from teller_gym.base.errors import ScenarioError

HANDBOOK: Final = "/Finance_Documents/Handbook"
HOUSE: Final = "teller_gym.scenarios.wealth.house"

Rules = Mapping[str, Any]
"""Numbers and texts from a ``rules.yaml``, by name."""


@cache
def data_of(package: str, file: str) -> Mapping[str, Any]:
    """Load a YAML file from a package."""
    return msgspec.yaml.decode(resources.files(package).joinpath(file).read_bytes(), type=dict[str, Any])


def rules_of(package: str) -> Rules:
    """Load the numbers of a handbook chapter."""
    return data_of(package, "rules.yaml")


def chapter(package: str) -> list[str]:
    """Render a handbook chapter as lines.

    Raises:
        ScenarioError: the text has a placeholder that ``rules.yaml`` lacks, or does not use one of its values.
    """
    return rendered(package, "chapter.txt", rules_of(package)).splitlines()


def rendered(package: str, file: str, values: Mapping[str, Any], whole: bool = True) -> str:
    """Render a package's template, whose placeholders are names in braces.

    Args:
        package: import path of the package.
        file: file name of the template.
        values: values of the placeholders.
        whole: True if the template must use every value.

    Raises:
        ScenarioError: a placeholder has no value or, with ``whole``, a value is not used.
    """
    text = resources.files(package).joinpath(file).read_text("utf-8")
    names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    missing, left = sorted(names - values.keys()), sorted(values.keys() - names)
    if missing or (whole and left):
        raise ScenarioError(f"{package}, {file}: no values for {missing or 'none'}; not in the text: {left or 'none'}")
    return text.format_map({name: shown(values[name]) for name in names})


def shown(value: Any) -> str:
    """Format a value for the handbook.

    List items are separated by commas.
    """
    return ", ".join(map(shown, value)) if isinstance(value, list | tuple) else str(value)
