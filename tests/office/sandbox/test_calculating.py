import ast
from decimal import ROUND_HALF_UP, Context, Decimal, DecimalException, localcontext
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.sandbox import CalculationError, calculate
from teller_gym.office.sandbox.calculating import MAX_DEPTH, MAX_LENGTH

CASES = yaml.safe_load(Path(__file__).with_name("calculations.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("expression", "value"), CASES["values"])
def test_values(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize(
    ("expression", "position", "words"),
    [
        *CASES["errors"],
        ("1" * (MAX_LENGTH + 1), 1, "1000 characters"),
        ("(" * (MAX_DEPTH + 1), MAX_DEPTH + 1, "levels"),
        ("-" * (MAX_DEPTH + 1) + "1", MAX_DEPTH + 1, "levels"),
        ("2**" * (MAX_DEPTH + 1) + "1", 3 * MAX_DEPTH + 2, "levels"),
    ],
)
def test_errors_have_a_position(expression: str, position: int, words: str) -> None:
    with pytest.raises(CalculationError) as caught:
        calculate(expression)
    assert words in str(caught.value)
    assert caught.value.position == position


def _round(value: Decimal, places: Decimal) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-int(places)), rounding=ROUND_HALF_UP, context=Context(prec=400))


class _AsDecimals(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        text = ast.unparse(node) if not hasattr(node, "text") else node.text
        return ast.Call(ast.Name("Decimal", ast.Load()), [ast.Constant(text)], [])


def by_python(expression: str) -> Decimal:
    """Evaluate an expression by Python, with numbers as Decimals of 28 digits."""
    tree = ast.parse(expression, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.text = ast.get_source_segment(expression, node)  # type: ignore[attr-defined]
    names = {
        "Decimal": Decimal,
        "round": _round,
        "sum": lambda *x: sum(x, Decimal(0)),
        "min": min,
        "max": max,
        "abs": abs,
    }
    with localcontext(Context(prec=28, Emin=-999, Emax=999)):
        value = eval(compile(ast.fix_missing_locations(_AsDecimals().visit(tree)), "", "eval"), names)
        assert isinstance(value, Decimal)
        return value


numbers = st.decimals(0, 10**6, places=2).map(lambda x: f"{x:f}") | st.integers(0, 10**6).map(str)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return (
        st.builds(lambda xy, sign: f"{xy[0]} {sign} {xy[1]}", pair, st.sampled_from(["+", "-", "*", "/", "//", "%"]))
        | st.builds(lambda x, n: f"({x})**{n}", inner, st.integers(-3, 4))
        | inner.map(lambda x: f"-{x}")
        | inner.map(lambda x: f"({x})")
        | inner.map(lambda x: f"abs({x})")
        | st.builds(lambda x, n: f"round({x}, {n})", inner, st.integers(-3, 4))
        | st.builds(lambda f, xy: f"{f}({xy[0]}, {xy[1]})", st.sampled_from(["min", "max", "sum"]), pair)
    )


@settings(max_examples=200, deadline=None)
@given(st.recursive(numbers, _grown, max_leaves=12))
def test_values_are_pythons(expression: str) -> None:
    try:
        expected = by_python(expression)
    except DecimalException:
        with pytest.raises(CalculationError):
            calculate(expression)
        return
    try:
        found = calculate(expression)
    except CalculationError as error:
        assert "levels" in error.message or "999 digits" in error.message or "characters" in error.message, error
        return
    assert Decimal(found) == expected
    assert "E" not in found


@settings(max_examples=120, deadline=None)
@given(
    st.text(max_size=40) | st.lists(st.sampled_from([*"0123456789.,+-*/%() e", "max", "round(", "1,234"])).map("".join)
)
def test_any_text_has_a_value_or_a_position(text: str) -> None:
    try:
        Decimal(calculate(text))
    except CalculationError as error:
        assert 1 <= error.position <= len(text) + 1
