"""Tool under a shifted schema, with its new name and parameters, and the conversion of calls to the original tool."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.tools.tool import Parameter, Tool, read_arguments
from teller_gym.variation.schema.naming import Naming, replace_names

DATE_PARTS = {"year": (1900, 2200), "month": (1, 12), "day": (1, 31)}
_SPLIT_DATES = 0.15
"""Share of required dates that are split into three integers."""
_LAYOUTS = 3
"""Number of layouts for descriptions (see :meth:`Face._describe`)."""
_WORD = re.compile("[a-z][a-z0-9_]*")
"""Regular expression for a choice that may become part of a tool's name."""


class Face(Tool):
    """Tool as shown in a shifted schema.

    Args:
        tool, name, naming: original tool, its new name, and the naming of its parameters.
        key: random key for order, layout and split dates.
        elsewhere: new names of other tools, their parameters and outputs, which may occur in texts.
        fixed: argument that is part of a split tool's name.
        wording: description with the original names.
    """

    __slots__ = (
        "_anywhere",
        "_args",
        "_called",
        "_dates",
        "_elsewhere",
        "_fixed",
        "_key",
        "_leading",
        "_shown",
        "_tool",
    )

    def __init__(  # does not call Tool's, because expensive parts are created on first use
        self,
        tool: Tool,
        name: str,
        naming: Naming,
        key: str,
        elsewhere: Mapping[str, str],
        fixed: Mapping[str, Any],
        wording: str,
    ) -> None:
        self.name = name
        self._tool = tool
        self._key = f"{key}/{tool.name}"
        self._elsewhere = elsewhere
        self._fixed = dict(fixed)
        self._args: Any = None
        self.act = tool.act
        self.category = tool.category
        self.result_type = tool.result_type
        self.args_type = tool.args_type
        self.outputs = tuple(map(naming.of_parameter, tool.outputs))
        self.colons = None
        self._shown = {p.name: naming.of_parameter(p.name) for p in tool.parameters if p.name not in fixed}
        self._dates = {
            name: tuple(naming.of_parameter(f"{name}_{part}") for part in DATE_PARTS) for name in self._dates_to_split()
        }
        self._called = {p.name: naming.of_parameter(p.name) for p in tool.parameters}
        called = self._called | {name: "/".join(parts) for name, parts in self._dates.items()}
        self._leading = {name: new for name, new in called.items() if "_" not in name}
        self._anywhere = {name: new for name, new in called.items() if "_" in name}
        self.parameters = self._shown_parameters()
        self.description = self._describe(wording)

    @property
    def original(self) -> Tool:
        """Original tool that executes the calls."""
        return self._tool

    @property
    def fixed(self) -> dict[str, Any]:
        """Argument that is part of a split tool's name."""
        return dict(self._fixed)

    def renamed(self) -> dict[str, str | list[str]]:
        """Return the new name of each original parameter, or a list of three names for a split date."""
        return {name: list(self._dates[name]) if name in self._dates else new for name, new in self._shown.items()}

    # -- calls ----------------------------------------------------------------------------------------------------

    def decode(self, raw: msgspec.Raw | bytes | str) -> Any:
        """Decode shifted arguments to those of the original tool, with the errors of :meth:`Tool.decode`."""
        if self._args is None:
            self._args = msgspec.json.Decoder(self._arguments_type())
        given = read_arguments(self._args.decode, raw, self.parameters)
        values = {name: getattr(given, name) for name in self._shown if name not in self._dates}
        try:
            for name in self._dates:
                values[name] = self._date(name, given)
            return self._tool.checked(self._tool.args_type(**values, **self._fixed))
        except ToolError as error:
            raise self.shown_error(error) from None

    def decode_call(self, text: str) -> Any:
        """Always raise an error, so that the parser decodes name and arguments separately and converts them."""
        raise msgspec.ValidationError("a shifted call is read by its parts")

    def write(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Convert original arguments to the shifted schema and its order; unknown arguments are unchanged."""
        written: dict[str, Any] = {}
        for name, value in arguments.items():
            if name in self._fixed:
                continue
            if name in self._dates:
                written |= zip(self._dates[name], _parts(value), strict=True)
            else:
                written[self._shown.get(name, name)] = value
        order = [p.name for p in self.parameters]
        return dict(sorted(written.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))

    def shown_error(self, error: ToolError) -> ToolError:
        """Convert the names in an error of the original tool to the shifted schema."""
        field = error.field
        if field in self._dates:
            field = self._dates[field][0]
        elif field is not None:
            field = self._called.get(field) or self._elsewhere.get(field, field)
        return ToolError(error.kind, self._reworded(error.message), field, error.tool)

    def original_field(self, shown: str | None) -> str | None:
        """Return the original name of a parameter, given its name in an error of the shifted schema."""
        names = {new: name for name, new in self._called.items()}
        names |= {part: name for name, parts in self._dates.items() for part in parts}
        return None if shown is None else names.get(shown, shown)

    # -- schema -----------------------------------------------------------------------------------------------------

    def _dates_to_split(self) -> list[str]:
        draw = random.Random(f"dates/{self._key}").random
        days = [p for p in self._tool.parameters if p.schema.get("format") == "date" and p.required]
        return [p.name for p in days if draw() < _SPLIT_DATES and p.name in self._shown]

    def _shown_parameters(self) -> tuple[Parameter, ...]:
        shown: list[Parameter] = []
        for parameter in self._tool.parameters:
            name = parameter.name
            if name in self._dates:
                shown += self._split_date(parameter)
            elif name in self._shown:
                schema = dict(parameter.schema)
                if "description" in schema:
                    schema["description"] = self._reworded(schema["description"])
                shown.append(Parameter(self._shown[name], schema, parameter.required))
        draw = random.Random(f"order/{self._key}").random
        return tuple(sorted(shown, key=lambda _: draw()))

    def _split_date(self, parameter: Parameter) -> list[Parameter]:
        text = self._reworded(str(parameter.schema.get("description", "")))
        return [
            Parameter(
                name,
                {
                    "type": "integer",
                    "minimum": least,
                    "maximum": most,
                    "description": f"{text.rstrip('.')}: the {part}.",
                },
                True,
            )
            for name, (part, (least, most)) in zip(self._dates[parameter.name], DATE_PARTS.items(), strict=True)
        ]

    def _describe(self, wording: str) -> str:
        """Format the description in one of the layouts: unchanged, or with the arguments after or before it."""
        text = self._reworded(wording)
        if self._fixed:  # comes first, as it is the only difference between the parts of a split tool
            text = f"For {', '.join(f'{self._called[name]} {value}' for name, value in self._fixed.items())}: {text}"
        layout = int(random.Random(f"layout/{self._key}").random() * _LAYOUTS)
        names = ", ".join(p.name for p in self.parameters) or "nothing"
        return (text, f"{text} Takes: {names}.", f"[{names}] {text}")[layout]

    def _reworded(self, text: str) -> str:
        """Replace names in a text.

        A parameter name of one word is replaced only at the start of the text, before a colon.
        """
        text = replace_names(text, self._anywhere, self._elsewhere)
        name, colon, rest = text.partition(":")
        return f"{self._leading[name]}:{rest}" if colon and name in self._leading else text

    # -- decoding ---------------------------------------------------------------------------------------------------

    def _arguments_type(self) -> type[msgspec.Struct]:
        fields: list[Any] = []
        rename: dict[str, str] = {}
        for info in msgspec.structs.fields(self._tool.args_type):
            if info.name in self._fixed:
                continue
            if info.name in self._dates:
                for part, shown in zip(DATE_PARTS, self._dates[info.name], strict=True):
                    least, most = DATE_PARTS[part]
                    fields.append((f"{info.name}__{part}", Annotated[int, Meta(ge=least, le=most)]))
                    rename[f"{info.name}__{part}"] = shown
            else:
                fields.append((info.name, info.type) if info.required else (info.name, info.type, info.default))
                rename[info.name] = self._shown[info.name]
        return msgspec.defstruct(
            "Arguments", fields, rename=rename, forbid_unknown_fields=True, kw_only=True, gc=False, frozen=True
        )

    def _date(self, name: str, given: Any) -> date:
        year, month, day = (getattr(given, f"{name}__{part}") for part in DATE_PARTS)
        try:
            return date(year, month, day)
        except ValueError:
            message = f"{name}: expected a day of the calendar, got year {year}, month {month}, day {day}"
            raise ToolError(ErrorKind.TYPE, message, name) from None


@cache
def choices_of(tool: Tool, most: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return the required parameters that are enumerations of at most ``most`` words, with the words."""
    found = []
    for info in msgspec.structs.fields(tool.args_type):
        annotation = info.type
        while get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        words = get_args(annotation) if get_origin(annotation) is Literal else ()
        if info.required and 2 <= len(words) <= most and all(_WORD.fullmatch(str(word)) for word in words):
            found.append((info.name, words))
    return found


def _parts(value: Any) -> tuple[Any, ...]:
    try:
        day = date.fromisoformat(value)
    except (TypeError, ValueError):
        return (value, 1, 1)
    return day.year, day.month, day.day
