"""Text of `--help` on settings, from the models, and of `--show`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from teller_gym.configuration.envs import NAMED
from teller_gym.configuration.settings import Settings, bare, words

_WIDTH, _INDENT = 118, 8


def describe(model: type[Settings]) -> str:
    """Return a paragraph for each field of a model and of the models below it: key, type, default, description."""
    return "\n".join(line for key, *rest in _fields(model, "") for line in _paragraph(key, *rest))


def _fields(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, str, str]]:
    for name, field in model.model_fields.items():
        key = f"{prefix}{name}"
        below, _ = bare(field.annotation)
        if isinstance(below, type) and issubclass(below, BaseModel):
            if field.description:
                yield key, "", field.description
            yield from _fields(below, f"{key}.")
            if below.model_config.get("extra") == "allow":
                yield f"{key}.<option>", "", (below.__doc__ or "").partition("\n")[0]
        else:
            default = "" if field.default in (None, PydanticUndefined) else f"; {json.dumps(field.default)}"
            key = key.removesuffix(".id") if key.partition(".")[0] in NAMED else key
            yield key, f"({words(field.annotation, field.metadata)}{default})", field.description or ""


def _paragraph(key: str, kind: str, text: str) -> list[str]:
    said = " ".join(f"{text} {kind}".split())
    body = textwrap.wrap(said, _WIDTH, initial_indent=" " * _INDENT, subsequent_indent=" " * _INDENT)
    return [f"  {key}", *body]


def show(values: Mapping[str, Any]) -> str:
    """Return a resolved configuration as YAML that can be read and compared."""
    return yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=_WIDTH).rstrip()
