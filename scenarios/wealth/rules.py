"""The numbers of the house rules, and the handbook that is rendered from them.

Each part of the handbook is a folder with ``rules.yaml`` (numbers) and ``chapter.txt`` (text with names of the numbers
in braces). Graders, solvers and experts take a number from the same ``rules.yaml`` that the text shows.
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
"""Numbers and words by name, as ``rules.yaml`` has them."""


@cache
def data_of(package: str, file: str) -> Mapping[str, Any]:
    """Return the contents of a YAML file of a package, by name."""
    return msgspec.yaml.decode(resources.files(package).joinpath(file).read_bytes(), type=dict[str, Any])


def rules_of(package: str) -> Rules:
    """Return the numbers of a part of the handbook."""
    return data_of(package, "rules.yaml")


def chapter(package: str) -> list[str]:
    """Return a part of the handbook, line by line.

    Raises:
        ScenarioError: the text names a number that ``rules.yaml`` does not have, or leaves one of them out.
    """
    return rendered(package, "chapter.txt", rules_of(package)).splitlines()


def rendered(package: str, file: str, values: Mapping[str, Any], whole: bool = True) -> str:
    """Return a text with its names in braces replaced.

    Args:
        package: the package whose folder has the file.
        file: with the text.
        values: by name.
        whole: whether the text must contain every value.

    Raises:
        ScenarioError: the text has a name without a value, or, if it is to be whole, a value is left out.
    """
    text = resources.files(package).joinpath(file).read_text("utf-8")
    names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    missing, left = sorted(names - values.keys()), sorted(values.keys() - names)
    if missing or (whole and left):
        raise ScenarioError(f"{package}, {file}: no values for {missing or 'none'}; not in the text: {left or 'none'}")
    return text.format_map({name: shown(values[name]) for name in names})


def shown(value: Any) -> str:
    """Return a value as the handbook writes it: numbers as they are, words of a list with commas between."""
    return ", ".join(map(shown, value)) if isinstance(value, list | tuple) else str(value)
