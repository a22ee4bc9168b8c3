"""Expressions of the catalogue: a subset of Python for exact numbers, texts, dates, lists and rows.

Numbers are integers or exact fractions: ``0.1`` is a tenth, and ``7 / 2`` is seven halves. ``row.price`` is a field of
a row, ``day - other`` a number of days and ``day + 30`` a day. The functions are in ``vocabulary.py``; ``choose(test,
value, …, otherwise)`` evaluates only the value that it returns.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Final

from teller_gym.base.errors import ScenarioError
from teller_gym.base.money import exact
from teller_gym.tools.catalogue.vocabulary import as_text

Evaluate = Callable[["Scope"], Any]

_LARGEST_POWER: Final = 10_000
_LONGEST: Final = 10_000
"""Maximum length of a list or text made by repetition."""


class Scope:
    """Values by name: known values, and steps that are evaluated when they are first needed.

    Args:
        values: The known values; evaluated steps are added.
        steps: Expressions by name.
        outer: Scope for names that are in neither.
    """

    __slots__ = ("outer", "steps", "values")

    def __init__(self, values: dict[str, Any], steps: Mapping[str, Evaluate], outer: Scope | None = None) -> None:
        self.values = values
        self.steps = steps
        self.outer = outer

    def __getitem__(self, name: str) -> Any:
        if name in self.values:
            return self.values[name]
        if name in self.steps:
            self.values[name] = value = self.steps[name](self)
            return value
        if self.outer is None:
            raise KeyError(name)
        return self.outer[name]


def _add(left: Any, right: Any) -> Any:
    return left + timedelta(days=int(right)) if isinstance(left, date) else left + right


def _subtract(left: Any, right: Any) -> Any:
    if isinstance(left, date):
        return (left - right).days if isinstance(right, date) else left - timedelta(days=int(right))
    return left - right


def _multiply(left: Any, right: Any) -> Any:
    if isinstance(left, str | list) and len(left) * right > _LONGEST:
        raise OverflowError(f"more than {_LONGEST} items")
    return left * right


def _power(base: Any, exponent: Any) -> Any:
    if abs(exponent) > _LARGEST_POWER:
        raise OverflowError(f"an exponent above {_LARGEST_POWER}")
    value = Fraction(base) ** exponent if exponent < 0 else base**exponent
    return exact(value) if isinstance(value, float) else value


_OPERATORS: Final[dict[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.Add: _add,
    ast.Sub: _subtract,
    ast.Mult: _multiply,
    ast.Div: lambda left, right: Fraction(left) / right,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}


class Compiler:
    """Turns expressions into functions of a scope.

    Args:
        functions: Functions that the expressions may call.

    Attributes:
        used: Names that the expressions use.
    """

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.functions = functions
        self.used: set[str] = set()

    def compiled(self, source: Any, names: Collection[str], place: str) -> Evaluate:
        """Compile an expression to a function of a scope.

        Args:
            source: The expression; a value that is not text is a constant.
            names: Names that it may use.
            place: Its place in the catalogue, for errors.

        Raises:
            ScenarioError: If the expression cannot be read, or uses an unknown name.
        """
        if not isinstance(source, str):
            constant = exact(source) if isinstance(source, float) else source
            return lambda scope: constant
        try:
            return self.read(ast.parse(source.strip(), mode="eval").body, frozenset(names))
        except (SyntaxError, ValueError) as error:
            raise ScenarioError(f"{place}: {error}, in {source!r}") from None

    def compiled_text(self, source: str, names: Collection[str], place: str) -> Evaluate:
        """Compile a text with expressions in braces to a function of a scope; see :meth:`compiled`."""
        return self.compiled("f" + repr(source), names, place)

    def read(self, node: ast.AST, names: frozenset[str]) -> Evaluate:
        """Compile one node of a syntax tree, which may use the given names."""
        read = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            raise ValueError(f"{type(node).__name__} is not part of the catalogue's expressions")
        evaluate: Evaluate = read(node, names)
        return evaluate

    def _all(self, nodes: Collection[ast.expr], names: frozenset[str]) -> list[Evaluate]:
        return [self.read(node, names) for node in nodes]

    def _constant(self, node: ast.Constant, names: frozenset[str]) -> Evaluate:
        value: Any = exact(node.value) if isinstance(node.value, float) else node.value
        return lambda scope: value

    def _name(self, node: ast.Name, names: frozenset[str]) -> Evaluate:
        if node.id not in names:
            raise ValueError(f"unknown name {node.id!r} (known: {', '.join(sorted(names))})")
        name = node.id
        self.used.add(name)
        return lambda scope: scope[name]

    def _binop(self, node: ast.BinOp, names: frozenset[str]) -> Evaluate:
        left, right = self._all([node.left, node.right], names)
        apply = _OPERATORS[type(node.op)]
        return lambda scope: apply(left(scope), right(scope))

    def _unaryop(self, node: ast.UnaryOp, names: frozenset[str]) -> Evaluate:
        value = self.read(node.operand, names)
        if isinstance(node.op, ast.Not):
            return lambda scope: not value(scope)
        return (lambda scope: -value(scope)) if isinstance(node.op, ast.USub) else value

    def _boolop(self, node: ast.BoolOp, names: frozenset[str]) -> Evaluate:
        values, ends_with = self._all(node.values, names), isinstance(node.op, ast.Or)

        def evaluate(scope: Scope) -> Any:
            found = None
            for value in values:
                found = value(scope)
                if bool(found) is ends_with:
                    break
            return found

        return evaluate

    def _compare(self, node: ast.Compare, names: frozenset[str]) -> Evaluate:
        first, *rest = self._all([node.left, *node.comparators], names)
        steps = list(zip([_OPERATORS[type(op)] for op in node.ops], rest, strict=True))

        def evaluate(scope: Scope) -> bool:
            left = first(scope)
            for holds, value in steps:
                right = value(scope)
                if not holds(left, right):
                    return False
                left = right
            return True

        return evaluate

    def _ifexp(self, node: ast.IfExp, names: frozenset[str]) -> Evaluate:
        return _choice(self._all([node.test, node.body, node.orelse], names))

    def _call(self, node: ast.Call, names: frozenset[str]) -> Evaluate:
        called = node.func.id if isinstance(node.func, ast.Name) else "an expression"
        arguments = self._all(node.args, names)
        named = {word.arg or "": self.read(word.value, names) for word in node.keywords}
        if called == "choose":
            return _choice(arguments)
        if called in names:
            self.used.add(called)
            return lambda scope: scope[called](*(argument(scope) for argument in arguments))
        function = self.functions.get(called)
        if function is None:
            raise ValueError(f"unknown function {called!r} (known: {', '.join(sorted(self.functions))})")
        if getattr(function, "needs_scope", False):
            return lambda scope: function(scope, *(a(scope) for a in arguments))
        return lambda scope: function(*(a(scope) for a in arguments), **{k: v(scope) for k, v in named.items()})

    def _attribute(self, node: ast.Attribute, names: frozenset[str]) -> Evaluate:
        value, field = self.read(node.value, names), node.attr

        def evaluate(scope: Scope) -> Any:
            found = value(scope)
            return found[field] if isinstance(found, Mapping) else getattr(found, field)

        return evaluate

    def _subscript(self, node: ast.Subscript, names: frozenset[str]) -> Evaluate:
        value, index = self.read(node.value, names), self.read(node.slice, names)
        return lambda scope: value(scope)[index(scope)]

    def _slice(self, node: ast.Slice, names: frozenset[str]) -> Evaluate:
        parts = [None if part is None else self.read(part, names) for part in (node.lower, node.upper, node.step)]
        return lambda scope: slice(*(None if part is None else part(scope) for part in parts))

    def _list(self, node: ast.List | ast.Tuple, names: frozenset[str]) -> Evaluate:
        values = self._all(node.elts, names)
        return lambda scope: [value(scope) for value in values]

    _tuple = _list

    def _dict(self, node: ast.Dict, names: frozenset[str]) -> Evaluate:
        keys = self._all([key for key in node.keys if key is not None], names)
        pairs = list(zip(keys, self._all(node.values, names), strict=True))
        return lambda scope: {key(scope): value(scope) for key, value in pairs}

    def _joinedstr(self, node: ast.JoinedStr, names: frozenset[str]) -> Evaluate:
        values = self._all(node.values, names)
        return lambda scope: "".join(value(scope) for value in values)

    def _formattedvalue(self, node: ast.FormattedValue, names: frozenset[str]) -> Evaluate:
        value = self.read(node.value, names)
        if node.format_spec is None:
            return lambda scope: as_text(value(scope))
        form = self.read(node.format_spec, names)
        return lambda scope: format(value(scope), form(scope))

    def _lambda(self, node: ast.Lambda, names: frozenset[str]) -> Evaluate:
        given = [argument.arg for argument in node.args.args]
        body = self.read(node.body, names | set(given))
        return lambda scope: lambda *values: body(Scope(dict(zip(given, values, strict=True)), {}, scope))

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp, names: frozenset[str]) -> Evaluate:
        walk, inner = self._loops(node.generators, names)
        value = self.read(node.elt, inner)
        return lambda scope: [value(each) for each in walk(scope)]

    _generatorexp = _listcomp

    def _dictcomp(self, node: ast.DictComp, names: frozenset[str]) -> Evaluate:
        walk, inner = self._loops(node.generators, names)
        key, value = self._all([node.key, node.value], inner)
        return lambda scope: {key(each): value(each) for each in walk(scope)}

    def _loops(
        self, loops: list[ast.comprehension], names: frozenset[str]
    ) -> tuple[Callable[[Scope], Iterator[Scope]], frozenset[str]]:
        """Return a function that iterates over the scopes of nested loops, and the names known in the innermost."""
        loop, *rest = loops
        targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
        bound = [target.id for target in targets if isinstance(target, ast.Name)]
        items, known = self.read(loop.iter, names), names | set(bound)
        tests = self._all(loop.ifs, known)
        deeper, innermost = self._loops(rest, known) if rest else (None, known)

        def walk(scope: Scope) -> Iterator[Scope]:
            for item in items(scope):
                values = item if len(bound) > 1 else [item]
                each = Scope(dict(zip(bound, values, strict=True)), {}, scope)
                if all(test(each) for test in tests):
                    yield from deeper(each) if deeper else [each]

        return walk, innermost


def _choice(parts: list[Evaluate]) -> Evaluate:
    """Return a function that evaluates to the value after the first test that is true, or to the last value."""
    if len(parts) % 2 == 0:
        raise ValueError("choose takes pairs of a test and a value, and a last value")

    def evaluate(scope: Scope) -> Any:
        for place in range(0, len(parts) - 1, 2):
            if parts[place](scope):
                return parts[place + 1](scope)
        return parts[-1](scope)

    return evaluate
