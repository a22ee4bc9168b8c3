"""Tools generated from ``template.yaml``, which read the case and file its review.

The reading tool takes the case's id and returns the existing fields and the business date. The filing tool takes the
output fields, rejects the call while a field to be obtained is empty, and ends the episode. Amounts are cents in the
records and dollars for the agent.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from importlib import resources
from operator import itemgetter
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import ErrorKind, ScenarioError, ToolError, invalid
from teller_gym.base.money import usd
from teller_gym.procedure.graph import How, Node, NodeInput, Source
from teller_gym.procedure.template import Field, Template
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Money, Percent, Result, Tool, tool

_TYPES: Mapping[str, Any] = {
    "cents": Money,
    "money": Money,
    "date": date,
    "integer": int,
    "percent": Percent,
    "boolean": bool,
    "string": str,
    "list[string]": list[str],
}
_AMOUNTS = ("cents", "money")
REVIEWS = "reviews"
"""Name of the table with filed reviews."""


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of ``case_tools.yaml``, which are descriptions that agents read."""

    read: str
    file: str
    case_id: str


class Filed(Result):
    """Confirmation that the case is closed."""

    status: Literal["filed"]


@cache
def _wording() -> Wording:
    text = resources.files("teller_gym.procedure.from_template").joinpath("case_tools.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=Wording)


def id_field(template: Template) -> str:
    """Return the name of the case id argument, such as ``account_id`` for the table ``accounts``."""
    return f"{template.table.removesuffix('s')}_id"


def find(bank: Bank, table: str, key: str, argument: str = "") -> Record:
    """Return a record in the bank.

    The error names ``argument``, or by default a name derived from the table, such as ``account_id`` for ``accounts``.

    Raises:
        ToolError: there is no such record.
    """
    record = bank.get(table, key)
    if record is None:
        raise invalid(argument or f"{table.removesuffix('s')}_id", f"there is no {key} here; check the id")
    return record


def field_type(field: Field) -> Any:
    """Convert a field's type in the template to the Python type in tool arguments and results.

    Raises:
        ScenarioError: the type is unknown.
    """
    words = [word.strip() for word in field.type.split("|")]
    rest = [word for word in words if word != "null"]
    if len(rest) == 1:
        if rest[0] not in _TYPES:
            raise ScenarioError(
                f"template.yaml, {field.name}: expected a type of {', '.join(_TYPES)} or words such as 'yes | no', "
                f"got {field.type!r}"
            )
        found = _TYPES[rest[0]]
    else:
        found = Literal[tuple(rest)]
    return found | None if len(rest) < len(words) else found


def reader(fields: Sequence[Field]) -> Callable[[Record], dict[str, Any]]:
    """Return a function that extracts fields from a record, converting cents to dollars."""
    names = tuple(field.name for field in fields)
    amounts = tuple(field.name for field in fields if field.type.split(" ")[0] in _AMOUNTS)

    # itemgetter is twice as fast, but returns no tuple if given only one name.
    get = itemgetter(*names) if len(names) > 1 else lambda record: [record[name] for name in names]

    def read(record: Record) -> dict[str, Any]:
        values = dict(zip(names, get(record), strict=True))
        for name in amounts:
            if (cents := values[name]) is not None:
                values[name] = usd(cents)
        return values

    return read


def reading_tool(template: Template, name: str) -> Tool:
    """Create the tool that reads the case.

    Raises:
        ScenarioError: the template lacks a part that the tool needs.
    """
    own = id_field(template)
    single = [field for field in template.existing if field.group is None and not field.hidden]
    read = reader(single)
    groups = {group: reader(fields) for group, fields in template.groups().items()}
    # Dates in rows stay text as in the record; dates of single fields are serialised to the same text.
    kinds = [(own, str), ("business_date", date), *((field.name, field_type(field)) for field in single)]
    kinds += [(group, list[dict[str, Any]]) for group in groups]
    answer: Any = msgspec.defstruct(f"{name}_answer", kinds, bases=(Result,), kw_only=True, gc=False)

    def run(bank: Bank, case_id: str) -> Result:
        record = find(bank, template.table, case_id)
        rows = {group: list(map(of_row, record[group])) for group, of_row in groups.items()}
        result: Result = answer(**{own: case_id}, business_date=bank.today, **read(record), **rows)
        return result

    return _made(run, name, _wording().read, {own: _case_argument(template)}, answer, template, act=None)


def filing_tool(template: Template, name: str) -> Tool:
    """Create the tool that files the case's review.

    Raises:
        ScenarioError: as for :func:`reading_tool`.
    """
    names = [field.name for field in template.outputs]

    def run(bank: Bank, case_id: str, *outputs: Any) -> Result:
        record = find(bank, template.table, case_id)
        if missing := [field.name for field in template.obtained if record.get(field.name) is None]:
            raise ToolError(ErrorKind.ORDER, f"the case is not ready: {', '.join(missing)} must be obtained first")
        bank.put(REVIEWS, case_id, {"owner": case_id, **msgspec.to_builtins(dict(zip(names, outputs, strict=True)))})
        return Filed(status="filed")

    arguments = {field.name: (field_type(field), field.description) for field in template.outputs}
    arguments = {id_field(template): _case_argument(template), **arguments}
    return _made(run, name, _wording().file, arguments, Filed, template, act=Act.FINAL)


def _case_argument(template: Template) -> tuple[Any, str]:
    if not template.prefix:
        raise ScenarioError("template.yaml: expected 'prefix', which the case's ids begin with, such as CL")
    pattern = Meta(pattern=f"^{template.prefix}-[0-9]{{6}}$")
    return Annotated[str, pattern], _wording().case_id


def _made(
    run: Callable[..., Result],
    name: str,
    description: str,
    arguments: Mapping[str, tuple[Any, str]],
    answer: type[Result],
    template: Template,
    *,
    act: Act | None,
) -> Tool:
    """Create a tool from a function, with a generated signature and docstring."""
    places = {"{case}": template.table.removesuffix("s").replace("_", " "), "{prefix}": template.prefix}

    def worded(text: str) -> str:
        for place, word in places.items():
            text = text.replace(place, word)
        return text

    parameters = ["bank", *arguments]
    run.__name__ = name
    run.__doc__ = (
        worded(description)
        + "\n\nArgs:\n"
        + "\n".join(f"    {argument}: {worded(text)}" for argument, (_, text) in arguments.items())
    )
    run.__annotations__ = {argument: kind for argument, (kind, _) in arguments.items()} | {"return": answer}
    vars(run)["__signature__"] = inspect.Signature(
        [inspect.Parameter(each, inspect.Parameter.POSITIONAL_OR_KEYWORD) for each in parameters]
    )
    return tool(act=act)(run)


def reading_node(template: Template) -> Node:
    """Create the graph node for the tool that reads the case, without outputs."""
    return Node({id_field(template): NodeInput(Source.USER_INPUT)}, ())


def filing_node(template: Template, read: str) -> Node:
    """Create the graph node for the tool that files the review, without outputs. ``read`` names the reading tool.

    Raises:
        ScenarioError: an output field does not name the tool outputs from which it is derived.
    """
    inputs = {id_field(template): NodeInput(Source.USER_INPUT)}
    for field in template.outputs:
        if not field.origin:
            raise ScenarioError(
                f"template.yaml, {field.name}: expected 'from' with the outputs of tools that it is worked out from, "
                f"such as [{read}.business_date]"
            )
        inputs[field.name] = NodeInput(Source.OTHER_API, field.origin, field.how or How.DERIVE, field.clause)
    return Node(inputs, ())
