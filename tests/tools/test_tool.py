"""Tools are made from typed functions: schema, validation and description come from the signature and docstring."""

import json
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from teller_gym.base.errors import ErrorKind, ScenarioError, ToolError
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.tool import ONCE, Act, Category, Money, Result, ToolSet, tool

Card = Annotated[str, Meta(pattern="^KA-[0-9]{3}$")]


class Order(Result):
    """An order."""

    card: Card
    price: Money


@tool(act=Act.FINAL, category=Category.AUXILIARY)
def order_card(
    bank: Bank,
    card: Card,
    kind: Literal["debit", "credit"],
    price: Money,
    limits: list[Money],
    day: date | None = None,
) -> Order:
    """Order a replacement
    card.

    Args:
        card: The card.
        kind: Which kind; a second
            line of text.
        price: What it costs.
        limits: Limits, one a use.
        day: When; null for now.
    """
    return Order(card=card, price=price + len(limits) + (day is None))


BANK = Bank({}, date(2026, 3, 4), None, "C-1")
RIGHT = {"card": "KA-001", "kind": "debit", "price": 1.25, "limits": [3, 4.5]}


def test_the_schema_is_the_signature() -> None:
    function = order_card.schema()["function"]
    assert (function["name"], function["description"]) == (
        "order_card",
        "Order a replacement card. Final: it cannot be taken back.",
    )
    properties = function["parameters"]["properties"]
    assert list(properties) == ["card", "kind", "price", "limits", "day"]
    assert properties["kind"] == {"enum": ["credit", "debit"], "description": "Which kind; a second line of text."}
    assert properties["card"]["pattern"] == "^KA-[0-9]{3}$"
    assert (properties["price"]["minimum"], properties["price"]["type"]) == (0, "number")
    assert function["parameters"]["required"] == ["card", "kind", "price", "limits"]
    assert function["parameters"]["additionalProperties"] is False
    assert order_card.outputs == ("card", "price")
    assert (order_card.writes, order_card.category) == (True, Category.AUXILIARY)


def test_arguments_are_decoded_and_passed_in_order() -> None:
    arguments = order_card.decode(msgspec.json.encode(RIGHT))
    assert order_card.call(BANK, arguments) == Order(card="KA-001", price=4.25)
    dated = order_card.decode(msgspec.json.encode(RIGHT | {"day": "2026-03-01"}))
    assert dated.day == date(2026, 3, 1)
    assert order_card.call(BANK, dated) == Order(card="KA-001", price=3.25)


@pytest.mark.parametrize("wrong", [{"card": "KA-1"}, {"kind": "gold"}, {"price": -1}, {"price": "1"}, {"more": 1}])
def test_wrong_arguments_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        order_card.decode(msgspec.json.encode(RIGHT | wrong))


def test_a_third_decimal_is_refused() -> None:
    with pytest.raises(ToolError, match=r"price: expected a number with at most 2 decimals, got 1\.255") as caught:
        order_card.decode(msgspec.json.encode(RIGHT | {"price": 1.255}))
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, "price")
    with pytest.raises(ToolError, match=r"limits: .*got 4\.555"):
        order_card.decode(msgspec.json.encode(RIGHT | {"limits": [1, 4.555]}))


@given(st.from_regex(r"[0-9]{1,5}(\.[0-9]{1,4})?([eE][-+]?[0-6])?", fullmatch=True), st.booleans())
def test_decimals_are_counted_however_a_number_is_written(number: str, listed: bool) -> None:
    """``decode_call`` and ``decode`` accept and refuse the same numbers."""
    price, limit = ("1", number) if listed else (number, "1")
    arguments = f'{{"card": "KA-001", "kind": "debit", "price": {price}, "limits": [2.5, {limit}]}}'
    try:
        decoded = order_card.decode(arguments)
    except msgspec.DecodeError:  # no JSON number, such as 007, or out of range
        return
    except ToolError:
        with pytest.raises(ToolError, match="at most 2 decimals"):
            order_card.decode_call(f'{{"name": "order_card", "arguments": {arguments}}}')
    else:
        assert round(decoded.price, 2) == decoded.price
        assert order_card.decode_call(f'{{"name": "order_card", "arguments": {arguments}}}') == decoded


def undescribed(bank: Bank, card: Card) -> Order:
    """Order."""
    raise NotImplementedError


def overdescribed(bank: Bank) -> Order:
    """Order.

    Args:
        card: There is none.
    """
    raise NotImplementedError


def silent(bank: Bank) -> Order:
    raise NotImplementedError


def untyped(bank: Bank) -> dict[str, str]:
    """Order."""
    raise NotImplementedError


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (undescribed, "argument 'card' is not described"),
        (overdescribed, r"does not have: \['card'\]"),
        (silent, "has no docstring"),
        (untyped, "subclass of Result"),
    ],
)
def test_functions_that_cannot_be_tools(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        tool()(function)


def test_a_set_of_tools_is_a_mapping_in_order() -> None:
    tools = ToolSet([order_card])
    assert list(tools) == ["order_card"] and len(tools) == 1 and tools["order_card"] is order_card
    assert tools.of(Category.CORE) == [] and tools.of(Category.AUXILIARY) == [order_card]
    assert tools.schemas() == [order_card.schema()]
    with pytest.raises(ScenarioError, match="two tools"):
        ToolSet([order_card, order_card])


class Kept(Result):
    """The kept arguments."""

    count: int


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def keep(
    bank: Bank,
    months: int,
    price: Money,
    sizes: list[int],
    colours: Annotated[list[Literal["red", "blue"]], ONCE],
    limit: int | None = None,
    either: int | float = 0,
) -> Kept:
    """Keep.

    Args:
        months: Whole.
        price: Not whole.
        sizes: Whole.
        colours: Each once.
        limit: Whole or nothing.
        either: Whole or not.
    """
    return Kept(count=len(colours))


def kept(**changes: Any) -> str:
    return json.dumps({"months": 60, "price": 2.5, "sizes": [], "colours": []} | changes)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"months": 60.0}, {"months": 60}),
        ({"months": -0.0}, {"months": 0}),
        ({"sizes": [1, 2.0, 3.0]}, {"sizes": [1, 2, 3]}),
        ({"limit": 7.0}, {"limit": 7}),
        ({"limit": None, "months": 1e3}, {"limit": None, "months": 1000}),
        ({"months": 5.0, "either": 6.0, "price": 7.0}, {"months": 5, "either": 6.0, "price": 7.0}),
    ],
)
def test_a_whole_number_written_with_decimals_is_an_integer(given: dict[str, Any], read: dict[str, Any]) -> None:
    decoded = keep.decode(kept(**given))
    for name, value in read.items():
        assert getattr(decoded, name) == value and type(getattr(decoded, name)) is type(value)
    call = parse_action(f'{{"name": "keep", "arguments": {kept(**given)}}}', ToolSet([keep]))
    assert isinstance(call, ToolCall) and call.arguments == decoded


@pytest.mark.parametrize("given", [{"months": 60.5}, {"months": 1e300}, {"sizes": [1.5]}, {"months": "60.0"}])
def test_no_other_number_is_one(given: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        keep.decode(kept(**given))


@pytest.mark.parametrize("colours", [["red", "red"], ["red", "blue", "red"]])
def test_an_item_of_a_set_stands_there_once(colours: list[str]) -> None:
    assert keep.schema()["function"]["parameters"]["properties"]["colours"]["uniqueItems"] is True
    with pytest.raises(ToolError, match="colours: expected every item once, got 'red' twice") as caught:
        keep.decode(kept(colours=colours))
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, "colours")
    action = f'{{"name": "keep", "arguments": {kept(colours=colours)}}}'
    with pytest.raises(ToolError, match="every item once"):
        parse_action(action, ToolSet([keep]))
    keep.decode(kept(colours=["blue", "red"], sizes=[1, 1]))


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (None, ""),
        (Act.NOTE, " A note: nobody outside sees it."),
        (Act.REVISABLE, " Revisable: the last record counts."),
        (Act.FINAL, " Final: it cannot be taken back."),
    ],
)
def test_the_description_ends_with_the_kind_of_act(act: Act | None, sentence: str) -> None:
    def look(bank: Bank) -> Kept:
        """Look."""
        raise NotImplementedError

    made = tool(act=act)(look)
    assert made.description == "Look."
    assert made.schema()["function"]["description"] == f"Look.{sentence}"
