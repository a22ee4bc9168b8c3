"""Tools: typed functions of (bank, arguments) with a JSON schema, validation and description from their signature.

For example::

    @tool(act=Act.FINAL)
    def order_card(bank: Bank, customer_id: CustomerId, kind: Literal["debit", "credit"]) -> CardOrder:
        '''Order a replacement card.

        Args:
            customer_id: The card holder.
            kind: Which card.
        '''

Argument types are ``msgspec`` types; :data:`Money` is a dollar amount with at most two decimals. A tool raises
:class:`~teller_gym.base.errors.ToolError` for errors that the agent should read; any other exception is a bug.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from teller_gym.base.errors import ErrorKind, ScenarioError, ToolError
from teller_gym.base.patterns import refuse_unbounded
from teller_gym.tools.bank import Bank

Money = Annotated[float, Meta(ge=0, le=100_000_000, extra={"unit": "usd"})]
"""A non-negative amount of US dollars, at most two decimals."""

Percent = Annotated[float, Meta(ge=0, le=1000, extra={"unit": "percent"})]
"""A non-negative percentage, at most three decimals; 6.5 means 6.5 %."""

ONCE = Meta(extra_json_schema={"uniqueItems": True})
"""Marks a list that is a set: its order is irrelevant, and no item may occur twice."""

DECIMALS = {"usd": 2, "percent": 3, "factor": 4, "hours": 2}
"""Maximum decimals of a number by its unit (``Meta(extra={"unit": …})``), so that tools can compute in integers."""


_values = msgspec.structs.astuple


class Category(StrEnum):
    """Category of a tool: part of the scenario's graph, a related tool of the bank, or a distractor."""

    CORE = "core"
    AUXILIARY = "auxiliary"
    FINANCIAL_DISTRACTOR = "financial_distractor"
    GENERAL_DISTRACTOR = "general_distractor"


class Act(StrEnum):
    """Kind of act of a tool that writes, as the SOP defines it."""

    NOTE = "note"
    """A harmless internal note or draft."""
    REVISABLE = "revisable"
    """A record that may be written again until something depends on it; the last version counts."""
    FINAL = "final"
    """An irreversible act, such as a letter, an inquiry, an order or a payment."""


@cache
def _act_sentences() -> dict[Act, str]:
    text = resources.files("teller_gym.tools").joinpath("acts.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=dict[Act, str])


class Result(msgspec.Struct, kw_only=True, gc=False):
    """Base class of tool results, whose fields become the JSON object that the agent reads."""


class Parameter(msgspec.Struct, frozen=True):
    """An argument of a tool: its name and JSON schema, and True in ``required`` if it has no default."""

    name: str
    schema: dict[str, Any]
    required: bool


class Tool:
    """A callable tool of the bank.

    Attributes:
        name: name that the agent sees.
        category: group that it belongs to.
        description: what the tool does; its schema adds a sentence on its kind of act.
        act: kind of act of a call; None if it only reads.
        parameters: arguments in order.
        result_type: the :class:`Result` subclass of its results; ``outputs`` are its field names.
        args_type: the ``msgspec`` struct to which a call's arguments are decoded.
    """

    __slots__ = (
        "_decimals", "_decode", "_decode_call", "_function", "_names", "_sets", "act", "args_type", "category",
        "colons", "description", "loose", "name", "outputs", "parameters", "result_type",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        description: str,
        fields: list[Any],
        result_type: type[Result],
        *,
        act: Act | None,
        category: Category,
    ) -> None:
        self.name = name
        self._function = function
        self.act = act
        self.category = category
        self.description = description
        self.result_type = result_type
        self.args_type = msgspec.defstruct(
            f"{self.name}_arguments", fields, forbid_unknown_fields=True, gc=False, frozen=True
        )
        self._decode = msgspec.json.Decoder(self.args_type).decode
        call_type = msgspec.defstruct(
            f"{self.name}_call", [("name", str), ("arguments", self.args_type)], forbid_unknown_fields=True, gc=False
        )
        self._decode_call = msgspec.json.Decoder(call_type).decode
        self._names = self.args_type.__struct_fields__
        self._decimals = tuple(
            (name, places, 10**places) for name, *rest in fields if (places := _places(rest[0])) is not None
        )
        self.parameters = _parameters(self.args_type)
        self._sets = tuple(p.name for p in self.parameters if p.schema.get("uniqueItems"))
        self.loose = bool(self._decimals or self._sets)
        """True if the types do not express all conditions on the arguments."""
        self.outputs = self.result_type.__struct_fields__
        self.colons = len(self._names) if all(p.required for p in self.parameters) else None
        """Number of colons in arguments without repeated keys or colons in values; None if some are optional."""

    @property
    def writes(self) -> bool:
        """True if a call can change the bank."""
        return self.act is not None

    @property
    def sentence(self) -> str:
        """The description's sentence on the kind of act; empty if the tool only reads."""
        return "" if self.act is None else _act_sentences()[self.act]

    @property
    def original(self) -> Tool:
        """The tool that a call actually runs: this one, unless the schema is shifted."""
        return self

    def decode(self, raw: msgspec.Raw | bytes | str) -> Any:
        """Decode a JSON object of arguments.

        Raises:
            msgspec.MsgspecError: the arguments are invalid.
            ToolError: a number has more decimals than its unit allows, or an item occurs twice in a set.
        """
        return self.checked(read_arguments(self._decode, raw, self.parameters))

    def checked(self, arguments: Any) -> Any:
        """Return decoded arguments after checking what their types do not express; raises as :meth:`decode` does."""
        return self._check_sets(self._check_decimals(arguments))

    def decode_call(self, text: str) -> Any:
        """Decode the arguments of a whole call of this tool, ``{"name": …, "arguments": {…}}``; see :meth:`decode`."""
        call: Any = self._decode_call(text)
        arguments = call.arguments
        return self.checked(arguments) if self.loose else arguments

    def _check_sets(self, arguments: Any) -> Any:
        for name in self._sets:
            given = getattr(arguments, name)
            for number, item in enumerate(given):
                if item in given[:number]:
                    expected = f"{name}: expected every item once, got {item!r} twice"
                    raise ToolError(ErrorKind.VALIDATION, expected, name)
        return arguments

    def _check_decimals(self, arguments: Any) -> Any:
        for name, places, scale in self._decimals:
            value = getattr(arguments, name)
            # Nearly every value is a float; lists and None are handled below.
            if value.__class__ is float:
                # Rounded down by // because a call of int() takes twice as long.
                if (value * scale + 0.5) // 1.0 / scale != value and round(value, places) != value:
                    raise _too_many_decimals(name, places, value)
            elif value is not None:
                for number in value if type(value) is list else (value,):
                    if round(number, places) != number:
                        raise _too_many_decimals(name, places, number)
        return arguments

    def call(self, bank: Bank, arguments: Any) -> Result:
        """Run the tool on decoded arguments; raises :class:`ToolError` for errors that the agent should read."""
        result: Result = self._function(bank, *_values(arguments))
        return result

    def guarded(self, guard: Callable[[Bank, Any], None]) -> Tool:
        """Return a copy of the tool that checks a precondition before it runs.

        Args:
            guard: takes the bank and the decoded arguments, and raises a :class:`ToolError` of kind ``order`` if a
                previous step is missing.
        """
        new = copy.copy(self)
        function, make = self._function, self.args_type

        def run(bank: Bank, *values: Any) -> Any:
            guard(bank, make(*values))
            return function(bank, *values)

        new._function = run
        return new

    def schema(self) -> dict[str, Any]:
        """Return the tool in OpenAI's function format."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description if self.act is None else f"{self.description} {self.sentence}",
                "parameters": {
                    "type": "object",
                    "properties": {p.name: p.schema for p in self.parameters},
                    "required": [p.name for p in self.parameters if p.required],
                    "additionalProperties": False,
                },
            },
        }

    def __repr__(self) -> str:
        return f"Tool({self.name!r}, {self.category.value}, {len(self.parameters)} parameters)"


def tool(*, act: Act | None = None, category: Category = Category.CORE) -> Callable[[Callable[..., Any]], Tool]:
    """Return a decorator that turns a typed function with a Google style docstring into a :class:`Tool`."""

    def make(function: Callable[..., Any]) -> Tool:
        description, texts = _read_docstring(function)
        fields, result_type = _read_signature(function, texts)
        return Tool(function.__name__, function, description, fields, result_type, act=act, category=category)

    return make


class ToolSet(Mapping[str, Tool]):
    """The available tools by name, in the order in which agents see them; names must be unique."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for item in tools:
            if item.name in self._tools:
                raise ScenarioError(f"two tools are called {item.name!r}")
            self._tools[item.name] = item
        self._schemas: list[dict[str, Any]] | None = None
        self.parameters: Mapping[str, tuple[Parameter, ...]] = {
            name: item.parameters for name, item in self._tools.items()
        }
        """The arguments of every tool, by tool name, as plain data that can be pickled."""

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def find(self, name: str) -> Tool | None:
        """Return the tool of a name, or None; three times as fast as ``get``."""
        return self._tools.get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def schemas(self) -> list[dict[str, Any]]:
        """Return all tools in OpenAI's function format (the list is shared: do not change it)."""
        if self._schemas is None:
            self._schemas = [item.schema() for item in self._tools.values()]
        return self._schemas

    @property
    def originals(self) -> ToolSet:
        """The tools under their original names: this set, unless the schema is shifted."""
        return self

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Shown names by original name; several if a shifted schema has split the tool."""
        return {name: (name,) for name in self._tools}

    def mapping(self) -> dict[str, Any]:
        """Map each shown tool to its original tool, fixed arguments, and the original names of its fields."""
        return {
            name: {
                "tool": name,
                "fixed": {},
                "parameters": {parameter.name: parameter.name for parameter in item.parameters},
                "outputs": {output: output for output in item.outputs},
            }
            for name, item in self._tools.items()
        }

    def reword(self, text: str) -> str:
        """Replace the tools' original names in a text by the shown names."""
        return text

    def reword_outputs(self, sop: str, submit: str) -> str:
        """Replace the names of the output fields in an SOP's last section by those that the submitting tool shows."""
        return sop

    def shown_error(self, error: ToolError) -> ToolError:
        """Replace the original names in a tool's error by the shown names."""
        return error

    def shown_field(self, tool: str, name: str) -> str:
        """Return the shown name of a field in a tool's result."""
        return name

    def own_field(self, tool: str | None, shown: str | None) -> str | None:
        """Return the original name of a parameter from its shown name."""
        return shown

    def shown_result(self, tool: str, result: str) -> str:
        """Replace the field names in a tool's result by the shown names."""
        return result

    def write(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Convert a call in the original schema to the shown schema."""
        return name, dict(arguments)

    def read(self, text: str, name: str | None = None) -> str:
        """Convert the result of a call of the shown tool ``name`` to the original schema."""
        return text

    def of(self, *categories: Category) -> list[Tool]:
        """Return the tools of the given categories, in order."""
        return [item for item in self._tools.values() if item.category in categories]


def tools_of(module: Any) -> list[Tool]:
    """Return the tools defined in a module, in the order of their definition."""
    return [item for item in vars(module).values() if isinstance(item, Tool)]


_MOST_EXACT = 2.0**53
"""Largest number up to which floats represent every integer."""


def read_arguments(
    decode: Callable[[Any], Any], raw: msgspec.Raw | bytes | str, parameters: Iterable[Parameter]
) -> Any:
    """Decode arguments; as in JSON Schema, a whole number written with decimals, such as 60.0, is an integer."""
    try:
        return decode(raw)
    except msgspec.ValidationError:
        given = msgspec.json.decode(raw)
        if not isinstance(given, dict):
            raise
        schemas = {parameter.name: parameter.schema for parameter in parameters}
        whole = msgspec.json.encode({name: _whole(value, schemas.get(name, {})) for name, value in given.items()})
        if whole == msgspec.json.encode(given):
            raise
    return decode(whole)


def _whole(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_whole(item, schema.get("items", {})) for item in value]
    kinds = {each.get("type") for each in (schema, *schema.get("anyOf", ()))}
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) <= _MOST_EXACT
    return int(value) if is_whole and "integer" in kinds and "number" not in kinds else value


_ARGUMENT = re.compile(r"^    (\w+): (.*)$")


def _read_docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    text = inspect.getdoc(function)
    if not text:
        raise ScenarioError(f"tool {function.__name__!r} has no docstring: it is the description that agents read")
    description, _, arguments = text.partition("\nArgs:\n")
    described: dict[str, str] = {}
    last = ""
    for line in arguments.splitlines():
        if match := _ARGUMENT.match(line):
            last = match[1]
            described[last] = match[2].strip()
        elif last and line.strip():
            described[last] += " " + line.strip()
    return " ".join(description.split()), described


def _read_signature(function: Callable[..., Any], texts: dict[str, str]) -> tuple[list[Any], type[Result]]:
    hints = get_type_hints(function, include_extras=True)
    result_type = hints.pop("return", None)
    if not (isinstance(result_type, type) and issubclass(result_type, Result)):
        raise ScenarioError(f"tool {function.__name__!r}: its return type must be a subclass of Result")
    fields: list[Any] = []
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        if name not in texts:
            raise ScenarioError(f"tool {function.__name__!r}: argument {name!r} is not described under 'Args:'")
        annotated: Any = Annotated[hints[name], Meta(description=texts.pop(name))]
        default = () if parameter.default is inspect.Parameter.empty else (parameter.default,)
        fields.append((name, annotated, *default))
    if texts:
        raise ScenarioError(f"tool {function.__name__!r} describes arguments that it does not have: {sorted(texts)}")
    return fields, result_type


def _too_many_decimals(name: str, places: int, number: float) -> ToolError:
    expected = f"{name}: expected a number with at most {places} decimals, got {number!r}"
    return ToolError(ErrorKind.VALIDATION, expected, name)


def _places(annotation: Any) -> int | None:
    """Return the maximum decimals of a number (or of the numbers in a list), or None if there is no limit."""
    if get_origin(annotation) is Annotated:
        units = [meta.extra.get("unit") for meta in get_args(annotation)[1:] if isinstance(meta, Meta) and meta.extra]
        known = [DECIMALS[unit] for unit in units if unit in DECIMALS]
        return known[0] if known else _places(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return None
    return next((places for item in get_args(annotation) if (places := _places(item)) is not None), None)


def _parameters(args_type: type[msgspec.Struct]) -> tuple[Parameter, ...]:
    whole = msgspec.json.schema(args_type)
    refuse_unbounded(whole, f"tool {args_type.__name__.removesuffix('_arguments')!r}")
    definition = whole["$defs"][args_type.__name__]
    required = set(definition.get("required", ()))
    return tuple(
        Parameter(name, {key: value for key, value in schema.items() if key != "title"}, name in required)
        for name, schema in definition["properties"].items()
    )
