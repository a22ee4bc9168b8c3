"""Base class for configuration models, with text for `--help` and `--show` and messages that report all mistakes."""

from __future__ import annotations

import dataclasses
import json
import os
import textwrap
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union

import annotated_types
import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError, PydanticUndefined

from teller_gym.base.errors import SettingsError
from teller_gym.base.text import did_you_mean
from teller_gym.configuration.envs import NAMED, options_of
from teller_gym.configuration.variables import without_values
from teller_gym.registration import ENVS


class Settings(BaseModel):
    """Base class for configuration models.

    Unknown keys are rejected, and null selects a field's default.
    """

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _null_is_the_default(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        fields = cls.model_fields
        defaults = {name for name, field in fields.items() if not field.is_required()}
        return {name: value for name, value in values.items() if value is not None or name not in defaults}


def problem(text: str, key: str = "") -> PydanticCustomError:
    """Return an error that a validator can raise, with text such as `expected …, got …`.

    Args:
        key: position of the mistake below the validated model or field.
    """
    return PydanticCustomError("problem", "{text}", {"text": text, "key": key})


def problems(found: Sequence[tuple[str, str]]) -> None:
    """Raise an error if there are problems between fields of a model.

    Args:
        found: pairs of key and text.
    """
    if found:
        raise PydanticCustomError("problems", "several", {"found": list(found)})


def as_list(value: Any) -> Any:
    """Wrap a single value in a list."""
    return value if isinstance(value, list) else [value]


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Text = Annotated[str, BeforeValidator(_as_text), annotated_types.MinLen(1)]
"""Type for non-empty text; numbers are converted to text."""


def text_keys(model: type[BaseModel], head: str = "") -> list[str]:
    """Return the dotted keys of a model's text fields and text lists, whose values must not become numbers."""
    found: list[str] = []
    for name, field in model.model_fields.items():
        kind = bare(field.annotation)[0]
        if typing.get_origin(kind) is list:
            kind = bare((typing.get_args(kind) or (Any,))[0])[0]
        if kind is str:
            found.append(head + name)
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            found += text_keys(kind, f"{head}{name}.")
    return found


def _usable(folder: str) -> str:
    """Check that a path is a folder or could become one, and return it."""
    if "\0" in folder:
        raise problem("expected the name of a folder, got one with a NUL character")
    try:
        if not Path(folder).is_dir() and os.path.lexists(folder):
            raise problem(f"expected a folder, got {folder!r}, which is a file")
        os.stat(folder)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise problem(f"expected a folder that can be made, got {_short(folder)} ({error.strerror})") from None
    return folder


Folder = Annotated[Text, AfterValidator(_usable)]
"""Type for the path of a folder, which need not exist."""

S = TypeVar("S", bound=Settings)


def read(
    model: type[S], values: Mapping[str, Any], beside: Sequence[str] = (), variables: Mapping[str, str] | None = None
) -> S:
    """Validate values with a model and return it.

    Args:
        beside: problems found earlier, which are reported as well.
        variables: environment variables; messages show their names instead of their values.

    Raises:
        SettingsError: there are problems; it lists all of them.
    """
    try:
        found = model.model_validate(dict(values))
    except ValidationError as error:
        told = [line for detail in error.errors() for line in _explained(model, detail, variables or {})]
        told = [without_values(line, variables or {}) for line in told]
        raise SettingsError(list(dict.fromkeys([*beside, *told]))) from None
    if beside:
        raise SettingsError(list(beside))
    return found


def _explained(model: type[Settings], detail: ErrorDetails, variables: Mapping[str, str]) -> list[str]:
    key, context = _dotted(detail["loc"]), detail.get("ctx", {})
    if detail["type"] == "problems":
        return [f"{_below(key, name)}: {text}" for name, text in context["found"]]
    if detail["type"] == "problem":
        return [f"{_below(key, context['key'])}: {context['text']}"]
    if detail["type"] == "extra_forbidden":
        allowed = list(bare(_at(model, detail["loc"][:-1])[0])[0].model_fields)
        name = str(detail["loc"][-1])
        hint = did_you_mean(name, allowed)
        if key in options_of(ENVS[0].id):
            hint = f"; options of the env are written env.{key}=…"
        return [f"{key}: no such setting; expected one of {', '.join(allowed)}{hint}"]
    annotation, metadata = _at(model, detail["loc"])
    wanted = words(annotation, metadata)
    allowed = [str(one) for one in typing.get_args(bare(annotation)[0]) if isinstance(one, str)]
    if detail["type"] == "missing":
        return [f"{key}: expected {wanted}, got nothing"]
    given = detail["input"]
    if isinstance(given, str) and (named := without_values(given, variables)) != given:
        return [f"{key}: expected {wanted}, got {named}"]
    return [f"{key}: expected {wanted}, got {_short(given)}{did_you_mean(str(given), allowed)}"]


def _below(key: str, name: str) -> str:
    return ".".join(part for part in (key, name) if part)


def _dotted(loc: tuple[int | str, ...]) -> str:
    text = ""
    if len(loc) > 1 and loc[0] in NAMED and loc[1] == "id":
        loc = (loc[0], *loc[2:])  # users write env=… for env.id
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _short(value: Any) -> str:
    text = "nothing" if value == "" else repr(value)
    return text if len(text) <= 80 else f"{text[:60]}… ({len(text)} characters)"


def _at(model: type[Settings], loc: tuple[int | str, ...]) -> tuple[Any, list[Any]]:
    """Return the annotation and constraints at a position inside a model."""
    annotation: Any = model
    metadata: list[Any] = []
    for part in loc:
        kind, _ = bare(annotation)
        if isinstance(part, int):
            annotation, metadata = (typing.get_args(kind) or (Any,))[0], []
        elif typing.get_origin(kind) is dict:
            annotation, metadata = typing.get_args(kind)[1], []
        elif isinstance(kind, type) and issubclass(kind, BaseModel) and part in kind.model_fields:
            annotation, metadata = kind.model_fields[part].annotation, kind.model_fields[part].metadata
        else:
            return Any, []
    return annotation, metadata


def bare(annotation: Any) -> tuple[Any, list[Any]]:
    """Remove `Annotated` and None from an annotation, and return it with the constraints found."""
    metadata: list[Any] = []
    while True:
        if typing.get_origin(annotation) is Annotated:
            annotation, *more = typing.get_args(annotation)
            metadata += more
        elif typing.get_origin(annotation) in (Union, types.UnionType):
            others = [one for one in typing.get_args(annotation) if one is not type(None)]
            if len(others) != 1:
                return annotation, metadata
            annotation = others[0]
        else:
            return annotation, metadata


_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text", dict: "settings by name"}


def words(annotation: Any, metadata: Sequence[Any] = ()) -> str:
    """Return a description of the values that an annotation accepts."""
    kind, more = bare(annotation)
    origin = typing.get_origin(kind)
    optional = typing.get_origin(annotation) in (Union, types.UnionType) and type(None) in typing.get_args(annotation)
    if origin is Literal:
        text = f"one of {', '.join(map(str, typing.get_args(kind)))}"
    elif origin is list:
        each = words(typing.get_args(kind)[0]).removesuffix(", not empty")
        one = any(isinstance(item, BeforeValidator) and item.func is as_list for item in (*metadata, *more))
        text = f"{each}, or a list of such" if one else f"a list, each {each}"
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        text = f"settings, some of {', '.join(kind.model_fields)}"
    elif dataclasses.is_dataclass(kind):
        text = _NAMES[dict]
    else:
        text = _NAMES.get(origin or kind, "a value")
    bounds = list(filter(None, map(_bound, (*metadata, *more))))
    return text + (f", {' and '.join(bounds)}" if bounds else "") + (", or null" if optional else "")


def _bound(constraint: Any) -> str:
    if isinstance(constraint, FieldInfo):
        return " and ".join(filter(None, map(_bound, constraint.metadata)))
    match constraint:
        case annotated_types.Ge(ge=least):
            return f"at least {least}"
        case annotated_types.Gt(gt=border):
            return f"above {border}"
        case annotated_types.Le(le=most):
            return f"at most {most}"
        case annotated_types.Lt(lt=border):
            return f"below {border}"
        case annotated_types.MinLen():
            return "not empty"
    return ""


_WIDTH, _INDENT = 118, 8


def describe(model: type[Settings]) -> str:
    """Return help text with key, type, default and description of every field, including those of nested models."""
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
    """Return a resolved configuration as YAML."""
    return yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=_WIDTH).rstrip()
