"""Advice in error messages for code; the texts are in ``advice.yaml``."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
import yaml

_NO_MODULE: Final = re.compile(r"No module named '([^']*)'")
_NO_NAME: Final = re.compile(r"name '([^']*)' is not defined")


class Feature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A missing feature of Python.

    Attributes:
        says: part of the interpreter's message.
        feature: its name.
        instead: advice.
    """

    says: str
    feature: str
    instead: str


class Advice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file, as its comments describe it."""

    modules: list[str]
    instead_of_module: dict[str, str]
    instead_of_feature: list[Feature]
    instead_of_name: dict[str, str]
    instead_of_error: dict[str, str]
    refused: dict[str, str]
    limits: dict[str, str]


@cache
def advice() -> Advice:
    """Return all advice."""
    text = files(__package__).joinpath("advice.yaml").read_text(encoding="utf-8")
    return msgspec.convert(yaml.safe_load(text), Advice)


def feature(said: str) -> str:
    """Return the message for a missing feature, from the interpreter's message."""
    found = next((one for one in advice().instead_of_feature if one.says in said), None)
    if found is None:
        named = said.removeprefix("The monty syntax parser does not yet support ").rstrip(".")
        return f"This Python does not have: {named}. Write it in a simpler way."
    return f"This Python does not have {found.feature}. {found.instead}"


def missing(kind: str, said: str) -> str:
    """Return the message of an exception, with what to do where a module, a name or an ability is missing."""
    if kind in ("ModuleNotFoundError", "ImportError") and (found := _NO_MODULE.search(said)):
        hint = advice().instead_of_module.get(found[1].partition(".")[0], "")
        return f"{said}. {hint + ' ' if hint else ''}Modules that can be imported: {', '.join(advice().modules)}"
    if kind == "NameError" and (found := _NO_NAME.search(said)):
        hint = advice().instead_of_name.get(found[1], "")
        return f"{said}. {hint}" if hint else said
    hint = next((hint for text, hint in advice().instead_of_error.items() if text in said), "")
    return f"{said}. {hint}" if hint else said


def refusal(function: str) -> str:
    """Return why a function of the system is refused."""
    return advice().refused.get(function, advice().refused[""])


def limit(name: str, **values: float | int | str) -> str:
    """Return the message for an exceeded limit or a crash."""
    return advice().limits[name].format(**values)
