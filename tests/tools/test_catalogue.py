"""The catalogue's engine: types of parameters, expressions, and errors of invalid entries."""

from datetime import date
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from teller_gym.base.errors import ScenarioError, ToolError
from teller_gym.tools.catalogue.behaviour import Behaviour
from teller_gym.tools.catalogue.entry import Entry
from teller_gym.tools.catalogue.expressions import Compiler, Scope
from teller_gym.tools.catalogue.notation import parameter
from teller_gym.tools.catalogue.subject import Subject
from teller_gym.tools.catalogue.vocabulary import FUNCTIONS
from teller_gym.tools.tool import Category
from tests.scenarios.distractors.desk import branch_bank, empty_bank

NAMES = {"rows": [{"price": Fraction(3, 2)}, {"price": 1}], "day": date(2026, 1, 31), "zero": 0, "word": "Zoë"}
ENTRY: dict[str, Any] = {
    "description": "Price a thing.",
    "parameters": {"thing": "text 1..20 -- The thing.", "count": "integer 0..9 = 1 -- How many."},
    "lookup": {"row": {"in": "things", "by": "thing"}},
    "refuse": [{"argument": "count", "when": "count == 0", "expected": "1 {thing} or more"}],
    "result": {"price": "row.price * count"},
    "examples": [],
}
TABLES = {"things": {"egg": {"price": Fraction(1, 4)}, "Pan": {"price": 20}}}


def value(expression: Any) -> Any:
    return Compiler(FUNCTIONS).compiled(expression, NAMES, "here")(Scope(dict(NAMES), {}))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0.1 + 0.2 == 0.3", True),
        ("7 / 2", Fraction(7, 2)),
        ("-2 ** 2 + 7 // 2 % 2", -3),
        ("2 ** -1", Fraction(1, 2)),
        ("round(2.5)", 3),
        ("round(-1.005, 2)", Fraction(-101, 100)),
        ("sum([row.price for row in rows if row.price > 1])", Fraction(3, 2)),
        ("[a * b for a, b in zip([1, 2], [3, 4])]", [3, 8]),
        ("[x + y for x in [1, 2] for y in [10, 20]]", [11, 21, 12, 22]),
        ("{name: len(name) for name in ['a', 'bc']}.bc", 2),
        ("max(rows, key=lambda row: row.price).price", Fraction(3, 2)),
        ("fold(lambda so_far, item: so_far * item, [2, 3], 1)", 6),
        ("choose(zero == 0, 'none', 1 / zero)", "none"),
        ("'b' if zero else 'a'", "a"),
        ("1 < 2 < 3 and not zero", True),
        ("zero or 'other'", "other"),
        ("day + 30 - day", 30),
        ("add_months(day, 1)", date(2026, 2, 28)),
        ("day.year", 2026),
        ("f'{word} pays {1.50} on {day}, {7:03d}'", "Zoë pays 1.5 on 2026-01-31, 007"),
        ("word[::-1][0:2]", "ëo"),
        ("significant(1234.5, 3)", 1230),
        ("sin(30)", Fraction("0.49999999999999994")),
        (2.5, Fraction(5, 2)),
    ],
)
def test_expressions_are_pythons_on_exact_numbers(expression: Any, expected: Any) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize("expression", ["1 / zero", "2 ** 20000", "word * 9999", "sqrt(-1)", "range(10 ** 6)"])
def test_expressions_without_a_result_fail_as_arithmetic(expression: str) -> None:
    with pytest.raises(ArithmeticError):
        value(expression)


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("cost + 1", "here: unknown name 'cost'"),
        ("opened(1)", "here: unknown function 'opened'"),
        ("word.upper()", "here: unknown function 'an expression'"),
        ("1 +", "here: invalid syntax"),
        ("(yield)", "here: Yield is not part"),
        ("choose(zero, 1)", "here: choose takes pairs"),
    ],
)
def test_wrong_expressions_are_refused_when_they_are_read(expression: str, complaint: str) -> None:
    with pytest.raises(ScenarioError, match=complaint):
        value(expression)


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("integer 1..5", "tool.name: expected 'type -- description'"),
        ("integer 1..5 usd. -- Text.", "tool.name: expected a type such as"),
        ("list of things -- Text.", "tool.name: expected a type such as"),
    ],
)
def test_wrong_types_are_refused(written: str, complaint: str) -> None:
    with pytest.raises(ScenarioError, match=complaint):
        parameter("tool", "name", written)


def test_bounds_that_are_equal_keep_their_notation() -> None:
    """For typing, 1 and 1.0 are the same value, but not in a schema."""
    fields = [parameter("tool", name, f"number {low}..9 or none -- Text.") for name, low in (("a", "1"), ("b", "1.0"))]
    schema = msgspec.json.schema(msgspec.defstruct("Both", fields))["$defs"]["Both"]["properties"]
    assert [str(schema[name]["anyOf"][0]["minimum"]) for name in "ab"] == ["1", "1.0"]


def made_up() -> Subject:
    return Subject("teller_gym.scenarios.distractors.general", "made_up", Category.GENERAL_DISTRACTOR)


def behaviour(**changes: Any) -> Behaviour:
    return Behaviour("tool", msgspec.convert(ENTRY | changes, Entry), TABLES, FUNCTIONS)


def test_a_call_is_looked_up_and_answered() -> None:
    assert behaviour().answer(empty_bank(), "EGG", 3) == {"price": 0.75}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("jug", 1), "thing: expected one of these (egg, Pan), got jug"),
        (("egg", 0), "count: expected 1 egg or more, got 0"),
    ],
)
def test_refusals_say_what_there_is(arguments: tuple[Any, ...], said: str) -> None:
    with pytest.raises(ToolError) as caught:
        behaviour().answer(empty_bank(), *arguments)
    assert caught.value.message == said


def test_what_cannot_be_computed_is_refused() -> None:
    with pytest.raises(ToolError, match="expected arguments that have a result"):
        behaviour(result={"share": "1 / (count - 3)"}).answer(empty_bank(), "egg", 3)


def test_a_record_replaces_the_one_of_the_same_key_and_knows_it() -> None:
    record = {"table": "orders", "prefix": "OR", "by": ["thing"], "fields": ["thing", "count"]}
    result = {"order": "reference", "before": "earlier.count if earlier else 0", "all": "len(records('orders'))"}
    tool, bank = behaviour(record=record, result=result, lookup={}), branch_bank()
    first, second = tool.answer(bank, "egg", 2), tool.answer(bank, "egg", 5)
    assert (first["before"], first["all"], second["before"], second["all"]) == (0, 0, 2, 1)
    assert bank.get("misc_orders", second["order"]) == {"owner": "misc", "thing": "egg", "count": 5}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"steps": {"count": "1"}}, "tool: expected every name for one thing, got count for two"),
        ({"refuse": [{"argument": "size", "when": "True", "expected": "x"}]}, "expected a parameter, got 'size'"),
        ({"lookup": {"row": {"in": "shelves", "by": "thing"}}}, "tool.lookup.row: expected a table and a parameter"),
        ({"result": {"price": "row.price * size"}}, "tool.result.price: unknown name 'size'"),
    ],
)
def test_entries_that_cannot_work_are_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ScenarioError, match=complaint):
        behaviour(**changes)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"resultt": {}}, r"made_up.yaml: tool: .*unknown field `resultt`"),
        ({"description": None}, r"made_up.yaml: tool: Expected `str`, got `null` - at `\$.description`"),
    ],
)
def test_entries_with_something_unknown_are_refused(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], complaint: str
) -> None:
    monkeypatch.setattr("teller_gym.tools.catalogue.subject._read", lambda file: {"tool": ENTRY | change})
    with pytest.raises(ScenarioError, match=complaint):
        _ = made_up().entries


@pytest.mark.parametrize("result", [{"P1": "count"}, {"rows": "[{'P1': each} for each in range(count)]"}])
def test_fields_of_answers_are_in_snake_case(monkeypatch: pytest.MonkeyPatch, result: dict[str, str]) -> None:
    monkeypatch.setattr("teller_gym.tools.catalogue.subject._read", lambda file: {"tool": ENTRY | {"result": result}})
    with pytest.raises(ScenarioError, match="expected fields in lower_snake_case, got P1"):
        list(made_up().tools())
