"""Tools: typed functions of (bank, arguments), whose JSON schema, validation and description come from the signature.

A tool's module looks like this::

    @tool(act=Act.FINAL)
    def order_card(bank: Bank, customer_id: CustomerId, kind: Literal["debit", "credit"]) -> CardOrder:
        '''Order a replacement card.

        Args:
            customer_id: The card holder.
            kind: Which card.
        '''

Argument types are ``msgspec`` types; :data:`Money` is a dollar amount with at most two decimals. A tool raises
:class:`~teller_gym.base.errors.ToolError` for what the agent should read; any other exception is a bug.
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
"""Marks a list that is a set: its order says nothing, and no item may occur in it twice."""

DECIMALS = {"usd": 2, "percent": 3, "factor": 4, "hours": 2}
"""Most decimals of a number by its unit (``Meta(extra={"unit": …})``), so that tools can count in whole units."""


_values = msgspec.structs.astuple


class Category(StrEnum):
    """Group of a tool: the scenario's graph, the bank around it, or neither."""

    CORE = "core"
    AUXILIARY = "auxiliary"
    FINANCIAL_DISTRACTOR = "financial_distractor"
    GENERAL_DISTRACTOR = "general_distractor"


class Act(StrEnum):
    """Kind of act of a tool that writes, as the SOP defines it."""

    NOTE = "note"
    """A note or draft that nobody outside sees: it does no harm."""
    REVISABLE = "revisable"
    """A record that may be made again until something rests on it; the last counts."""
    FINAL = "final"
    """An act that cannot be taken back, such as a letter, an inquiry, an order or a payment."""


@cache
def _act_sentences() -> dict[Act, str]:
    text = resources.files("teller_gym.tools").joinpath("acts.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=dict[Act, str])


class Result(msgspec.Struct, kw_only=True, gc=False):
    """Base of tool results; its fields are the tool's outputs and become the JSON object that the agent reads."""


class Parameter(msgspec.Struct, frozen=True):
    """One argument of a tool: its name, JSON schema, and whether a call must give it."""

    name: str
    schema: dict[str, Any]
    required: bool


class Tool:
    """A callable tool of the bank.

    Attributes:
        name, category: name and category that the agent sees.
        description: description of the tool; the agent also reads the sentence on its kind of act.
        act: kind of act of a call; None if it only reads.
        parameters: arguments in order.
        result_type: the :class:`Result` subclass of its answers; ``outputs`` are its field names.
        args_type: the ``msgspec`` struct a call's arguments are decoded to.
    """

    __slots__ = (
        "_decimals",
        "_decode",
        "_decode_call",
        "_function",
        "_names",
        "_sets",
        "act",
        "args_type",
        "category",
        "colons",
        "description",
        "loose",
        "name",
        "outputs",
        "parameters",
        "result_type",
    )

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
        """True if arguments must meet conditions that their types do not express."""
        self.outputs = self.result_type.__struct_fields__
        self.colons = len(self._names) if all(p.required for p in self.parameters) else None
        """Most colons that arguments can have with no key twice and no colon in a value; None if some are optional."""

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
        """The tool that a call of this one runs: itself, unless the schema is shifted."""
        return self

    def decode(self, raw: msgspec.Raw | bytes | str) -> Any:
        """Decode a JSON object of arguments.

        Raises:
            msgspec.MsgspecError: the arguments do not fit.
            ToolError: a number has more decimals than its unit allows, or an item occurs twice in a set.
        """
        return self.checked(read_arguments(self._decode, raw, self.parameters))

    def checked(self, arguments: Any) -> Any:
        """Return decoded arguments if they meet the conditions that their types do not express; raises as
        :meth:`decode`.
        """
        return self._check_sets(self._check_decimals(arguments))

    def decode_call(self, text: str) -> Any:
        """Decode a whole call of this tool, ``{"name": …, "arguments": {…}}``, to its arguments; see :meth:`decode`."""
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
            # Nearly every value is a float; lists and None take the longer way.
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
        """Run the tool on decoded arguments; raises :class:`ToolError` for what the agent should read."""
        result: Result = self._function(bank, *_values(arguments))
        return result

    def guarded(self, guard: Callable[[Bank, Any], None]) -> Tool:
        """Return the tool as it works where something must have been done before it.

        Args:
            guard: takes bank and decoded arguments, and raises a :class:`ToolError` of kind ``order`` that says what is
                missing; it runs before the tool.
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
    """Make a :class:`Tool` of a typed function with a Google style docstring."""

    def make(function: Callable[..., Any]) -> Tool:
        description, texts = _read_docstring(function)
        fields, result_type = _read_signature(function, texts)
        return Tool(function.__name__, function, description, fields, result_type, act=act, category=category)

    return make


class ToolSet(Mapping[str, Tool]):
    """The tools in play, by name, in the order in which they are shown.

    Raises:
        ScenarioError: two tools have the same name.
    """

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
        """The arguments of every tool, by its name: plain data, unlike the tools themselves."""

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def find(self, name: str) -> Tool | None:
        """Return the tool of a name, None if there is none; what ``get`` does, in a third of the time."""
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
        """The tools under their own names: these, unless the schema is shifted."""
        return self

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Names of each tool here; several where a shifted schema has split it."""
        return {name: (name,) for name in self._tools}

    def mapping(self) -> dict[str, Any]:
        """Return, for each tool shown, the original, the value of an argument left out, and the names of its fields."""
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
        """Return a text with the names that the tools have here."""
        return text

    def reword_outputs(self, sop: str, submit: str) -> str:
        """Return an SOP whose last section calls the output fields as the tool that submits them does here."""
        return sop

    def shown_error(self, error: ToolError) -> ToolError:
        """Return an error that a tool raised in the words used here."""
        return error

    def shown_field(self, tool: str, name: str) -> str:
        """Return what a field of a tool's result is called here."""
        return name

    def own_field(self, tool: str | None, shown: str | None) -> str | None:
        """Return a parameter's own name; ``shown`` is its name here."""
        return shown

    def shown_result(self, tool: str, result: str) -> str:
        """Return a tool's result with the names that its fields have here."""
        return result

    def write(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return a call of the tools' own schema as it is written here."""
        return name, dict(arguments)

    def read(self, text: str, name: str | None = None) -> str:
        """Return the result of a call of ``name`` as the tools' own schema would have shown it."""
        return text

    def of(self, *categories: Category) -> list[Tool]:
        """Return the tools of the given categories, in order."""
        return [item for item in self._tools.values() if item.category in categories]


def tools_of(module: Any) -> list[Tool]:
    """Return the tools defined in a module, in the order of their definition."""
    return [item for item in vars(module).values() if isinstance(item, Tool)]


_MOST_EXACT = 2.0**53
"""Up to here every whole number is a float."""


def read_arguments(
    decode: Callable[[Any], Any], raw: msgspec.Raw | bytes | str, parameters: Iterable[Parameter]
) -> Any:
    """Decode arguments; a whole number written with decimals, such as 60.0, is an integer, as JSON Schema has it.

    Raises:
        msgspec.MsgspecError: the arguments do not fit.
    """
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
    """Return how many decimals a number (or the numbers of a list) may have, None if there is no limit."""
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
