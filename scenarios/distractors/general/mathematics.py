"""Mathematics: factors, fractions, counting, statistics, regression, equations, sample sizes and tally sheets."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb, gcd, lcm, perm, sqrt
from statistics import NormalDist, fmean, median, pstdev, quantiles, stdev
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.general._algebra import fit_line, prime_powers, real_roots, solve_exactly
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Whole = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
Denominator = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Number = Annotated[float, Meta(ge=-1_000_000_000, le=1_000_000_000)]
Coefficient = Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]
Stroke = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,24}$")]
_SMALLEST_SPREAD = 1e-6
_TALLIES = "misc_tallies"


class FactoredNumbers(Result):
    """Prime factors of each number in the order given, and what the numbers share."""

    factorizations: list[str]
    greatest_common_divisor: int
    least_common_multiple: str


@tool(category=Category.GENERAL_DISTRACTOR)
def factor_whole_numbers(
    bank: Bank,
    numbers: Annotated[list[Annotated[int, Meta(ge=2, le=10_000_000)]], Meta(min_length=1, max_length=8)],
) -> FactoredNumbers:
    """Split whole numbers into prime factors, and find their greatest common divisor and least common multiple.

    Args:
        numbers: The numbers.
    """
    written = [
        " x ".join(str(prime) if exponent == 1 else f"{prime}^{exponent}" for prime, exponent in prime_powers(number))
        for number in numbers
    ]
    return FactoredNumbers(
        factorizations=written, greatest_common_divisor=gcd(*numbers), least_common_multiple=str(lcm(*numbers))
    )


class FractionResult(Result):
    """A fraction in lowest terms, as a mixed number, and as a decimal to six significant figures."""

    numerator: int
    denominator: int
    mixed_number: str
    decimal: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_with_fractions(
    bank: Bank,
    numerator_a: Whole,
    denominator_a: Denominator,
    operation: Literal["add", "subtract", "multiply", "divide"],
    numerator_b: Whole,
    denominator_b: Denominator,
) -> FractionResult:
    """Add, subtract, multiply or divide two fractions and give the result in lowest terms.

    Args:
        numerator_a: Numerator of the first fraction, with its sign.
        denominator_a: Denominator of the first fraction.
        operation: What to do with the two.
        numerator_b: Numerator of the second fraction, with its sign.
        denominator_b: Denominator of the second fraction.
    """
    a, b = Fraction(numerator_a, denominator_a), Fraction(numerator_b, denominator_b)
    if operation == "divide" and b == 0:
        raise invalid("numerator_b", "expected a fraction other than 0 to divide by, got 0")
    if operation in ("add", "subtract"):
        value = a + b if operation == "add" else a - b
    else:
        value = a * b if operation == "multiply" else a / b
    whole, rest = divmod(abs(value.numerator), value.denominator)
    parts = [str(whole)] if whole or not rest else []
    parts += [f"{rest}/{value.denominator}"] if rest else []
    return FractionResult(
        numerator=value.numerator,
        denominator=value.denominator,
        mixed_number=("-" if value < 0 else "") + " ".join(parts),
        decimal=shown(float(value)),
    )


class SelectionCount(Result):
    """The exact count in digits, and rounded to six significant figures."""

    count: str
    rounded: float


@tool(category=Category.GENERAL_DISTRACTOR)
def count_possible_selections(
    bank: Bank,
    items: Annotated[int, Meta(ge=1, le=1000)],
    chosen: Annotated[int, Meta(ge=0, le=100)],
    order_matters: bool,
    repetition_allowed: bool,
) -> SelectionCount:
    """Count in how many ways some of several different items can be selected: combinations or permutations.

    Args:
        items: How many items there are.
        chosen: How many are selected.
        order_matters: Whether the same items in another order count as another selection.
        repetition_allowed: Whether an item can be selected more than once.
    """
    if chosen > items and not repetition_allowed:
        raise invalid("chosen", f"expected at most {items} without repetition, got {chosen}")
    if order_matters:
        count = items**chosen if repetition_allowed else perm(items, chosen)
    else:
        count = comb(items + chosen - 1, chosen) if repetition_allowed else comb(items, chosen)
    return SelectionCount(count=str(count), rounded=shown(float(count)))


class NumberSummary(Result):
    """Statistics of a list, rounded to six significant figures."""

    mean: float
    median: float
    standard_deviation: float
    minimum: float
    lower_quartile: float
    upper_quartile: float
    maximum: float
    total: float


@tool(category=Category.GENERAL_DISTRACTOR)
def describe_number_list(
    bank: Bank,
    numbers: Annotated[list[Number], Meta(min_length=2, max_length=50)],
    deviation: Literal["sample", "population"] = "sample",
    quartile_method: Literal["inclusive", "exclusive"] = "inclusive",
) -> NumberSummary:
    """Describe a list of numbers: mean, median, standard deviation, quartiles, extremes, total.

    Args:
        numbers: The numbers, in any order.
        deviation: Whether the standard deviation divides by one less than the count, or by the count.
        quartile_method: Whether the extremes count as the 0th and 100th percentile, or values beyond them are possible.
    """
    low, _, high = quantiles(numbers, n=4, method=quartile_method)
    return NumberSummary(
        mean=shown(fmean(numbers)),
        median=shown(median(numbers)),
        standard_deviation=shown(stdev(numbers) if deviation == "sample" else pstdev(numbers)),
        minimum=shown(min(numbers)),
        lower_quartile=shown(low),
        upper_quartile=shown(high),
        maximum=shown(max(numbers)),
        total=shown(sum(numbers)),
    )


class FittedLine(Result):
    """The line y = slope x + intercept; r_squared is null if all y are the same."""

    slope: float
    intercept: float
    r_squared: float | None
    predicted: float | None


@tool(category=Category.GENERAL_DISTRACTOR)
def fit_regression_line(
    bank: Bank,
    x_values: Annotated[list[Number], Meta(min_length=2, max_length=50)],
    y_values: Annotated[list[Number], Meta(min_length=2, max_length=50)],
    predict_at: Number | None = None,
    through_origin: bool = False,
) -> FittedLine:
    """Fit a straight line to points by least squares; rounded to six significant figures.

    Args:
        x_values: The x of each point.
        y_values: The y of each point, in the same order.
        predict_at: An x for which to predict y.
        through_origin: Whether the line must go through 0, 0; r_squared is then measured from 0 too.
    """
    if len(x_values) != len(y_values):
        raise invalid("y_values", f"expected as many values as x_values, {len(x_values)}, got {len(y_values)}")
    centre = 0.0 if through_origin else min(x_values)
    if max(abs(x - centre) for x in x_values) < _SMALLEST_SPREAD:
        raise invalid("x_values", f"expected values that differ by {_SMALLEST_SPREAD} or more, got all the same")
    slope, intercept, residual, total = fit_line(x_values, y_values, through_origin)
    return FittedLine(
        slope=shown(slope),
        intercept=shown(intercept),
        r_squared=None if total == 0 else shown(max(0.0, 1 - residual / total)),
        predicted=None if predict_at is None else shown(slope * predict_at + intercept),
    )


class LinearSolution(Result):
    """The values of the unknowns in order, null unless there is just one solution."""

    outcome: Literal["one_solution", "no_solution", "many_solutions"]
    solution: list[float] | None
    determinant: float


@tool(category=Category.GENERAL_DISTRACTOR)
def solve_linear_equations(
    bank: Bank,
    coefficients: Annotated[
        list[Annotated[list[Coefficient], Meta(min_length=2, max_length=4)]], Meta(min_length=2, max_length=4)
    ],
    constants: Annotated[list[Coefficient], Meta(min_length=2, max_length=4)],
) -> LinearSolution:
    """Solve two to four linear equations with as many unknowns; rounded to six significant figures.

    Args:
        coefficients: For each equation the list of its coefficients, such as [[2, 1], [1, -1]].
        constants: The right side of each equation, such as [5, 1].
    """
    size = len(coefficients)
    for row in coefficients:
        if len(row) != size:
            raise invalid("coefficients", f"expected {size} coefficients in each of {size} equations, got {len(row)}")
    if len(constants) != size:
        raise invalid("constants", f"expected one for each of {size} equations, got {len(constants)}")
    sides = zip(coefficients, constants, strict=True)
    rank, determinant, values = solve_exactly([[exact(value) for value in (*row, side)] for row, side in sides])
    if rank < size:
        outcome: Literal["no_solution", "many_solutions"] = "no_solution" if values is None else "many_solutions"
        return LinearSolution(outcome=outcome, solution=None, determinant=0.0)
    solution = values or []
    if any(abs(value) > 10**15 for value in solution):
        raise invalid("coefficients", "expected a solution of at most 1e15, got nearly dependent equations")
    rounded = [shown(float(value)) for value in solution]
    return LinearSolution(outcome="one_solution", solution=rounded, determinant=shown(float(determinant)))


class QuadraticSolution(Result):
    """Real roots in ascending order, or the real and imaginary part of the pair of complex ones; and the vertex."""

    kind: Literal["two_real", "one_real", "complex_pair"]
    roots: list[float]
    imaginary_part: float
    vertex_x: float
    vertex_y: float


@tool(category=Category.GENERAL_DISTRACTOR)
def solve_quadratic_equation(bank: Bank, a: Coefficient, b: Coefficient, c: Coefficient) -> QuadraticSolution:
    """Solve a x^2 + b x + c = 0 and find the vertex of the parabola; rounded to six significant figures.

    Args:
        a: Factor of x squared, not 0.
        b: Factor of x.
        c: The constant.
    """
    if abs(a) < 1e-9:
        raise invalid("a", f"expected a factor of 1e-9 or more, either sign, got {a}")
    discriminant = exact(b) ** 2 - 4 * exact(a) * exact(c)
    vertex = (shown(-b / (2 * a)), shown(float(-discriminant / (4 * exact(a)))))
    kind: Literal["two_real", "one_real", "complex_pair"] = "complex_pair"
    if discriminant < 0:
        roots, imaginary = [vertex[0]], shown(sqrt(-discriminant) / (2 * abs(a)))
    elif discriminant == 0:
        kind, roots, imaginary = "one_real", [vertex[0]], 0.0
    else:
        kind, imaginary = "two_real", 0.0
        roots = [shown(root) for root in real_roots(a, b, c, float(discriminant))]
    return QuadraticSolution(kind=kind, roots=roots, imaginary_part=imaginary, vertex_x=vertex[0], vertex_y=vertex[1])


class SampleSize(Result):
    """Answers needed and people to ask, in each group and in all; enough_people is null for an unknown population."""

    answers_per_group: int
    asked_per_group: int
    answers_in_all: int
    asked_in_all: int
    z_value: float
    enough_people: bool | None


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_sample_size(
    bank: Bank,
    margin_percent: Annotated[float, Meta(ge=0.1, le=50)],
    confidence_percent: Annotated[float, Meta(ge=50, le=99.9)] = 95,
    expected_share_percent: Annotated[float, Meta(ge=1, le=99)] = 50,
    people_per_group: Annotated[int, Meta(ge=1, le=100_000_000)] | None = None,
    group_count: Annotated[int, Meta(ge=1, le=100)] = 1,
    response_percent: Annotated[float, Meta(ge=1, le=100)] = 100,
    design_effect: Annotated[float, Meta(ge=1, le=10)] = 1,
) -> SampleSize:
    """Plan how many people a survey must ask to estimate a share within a margin of error. Counts are rounded up, z to
    four decimals.

    Args:
        margin_percent: Half width of the confidence interval, in percentage points.
        confidence_percent: Confidence level.
        expected_share_percent: The share expected; 50 is the cautious choice.
        people_per_group: How many people there are in a group; leave it out if unknown or very large.
        group_count: Groups for each of which the margin must hold.
        response_percent: Share of the people asked who will answer.
        design_effect: Factor for clustered samples; 1 for a simple random sample.
    """
    z = NormalDist().inv_cdf(0.5 + confidence_percent / 200)
    share = expected_share_percent / 100
    needed = z * z * share * (1 - share) / (margin_percent / 100) ** 2 * design_effect
    if people_per_group is not None:
        needed = needed / (1 + (needed - 1) / people_per_group) if needed > 1 else needed
    answers = max(1, ceil(shown(needed, 12)))
    asked = ceil(answers / (exact(response_percent) / 100))
    return SampleSize(
        answers_per_group=answers,
        asked_per_group=asked,
        answers_in_all=answers * group_count,
        asked_in_all=asked * group_count,
        z_value=round(z, 4),
        enough_people=None if people_per_group is None else asked <= people_per_group,
    )


class TallyCount(Result):
    """The strokes of the option and of the whole sheet after the call."""

    tally_id: str
    option_count: int
    sheet_total: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def add_tally_strokes(
    bank: Bank, sheet: Name, option: Name, strokes: Annotated[int, Meta(ge=-1000, le=1000)] = 1
) -> TallyCount:
    """Add strokes to an option of a tally sheet; a sheet begins with its first stroke.

    Args:
        sheet: Name of the sheet, such as lunch-poll.
        option: What is counted, such as soup.
        strokes: How many to add; a negative number takes back that many.
    """
    name, counted = sheet.strip(), option.strip()
    key = bank.reference("TLY", name, counted)
    before = (bank.get(_TALLIES, key) or {"strokes": 0})["strokes"]
    if not 0 <= before + strokes <= 1_000_000 or strokes == 0:
        raise invalid("strokes", f"expected a number other than 0 that leaves 0 to 1000000, got {strokes} on {before}")
    bank.put(_TALLIES, key, {"owner": "misc", "sheet": name, "option": counted, "strokes": before + strokes})
    total = sum(row["strokes"] for _, row in bank.rows(_TALLIES) if row["sheet"] == name)
    return TallyCount(tally_id=key, option_count=before + strokes, sheet_total=total)


class TallySheet(Result):
    """Lines of option, strokes and share, the first twenty of those that are kept."""

    lines: list[str]
    total: int
    option_count: int


@tool(category=Category.GENERAL_DISTRACTOR)
def read_tally_sheet(
    bank: Bank, sheet: Name, order: Literal["most_first", "by_name"] = "most_first", least_strokes: Stroke = 0
) -> TallySheet:
    """Read a tally sheet: the strokes of each option and its share of the total in percent, to one decimal.

    Args:
        sheet: Name of the sheet.
        order: How the options are ordered.
        least_strokes: Leave out options with fewer strokes.
    """
    name = sheet.strip()
    counts = {row["option"]: row["strokes"] for _, row in bank.rows(_TALLIES) if row["sheet"] == name}
    if not counts:
        raise invalid("sheet", f"expected a sheet with strokes, got {name}, which has none; add some first")
    total = sum(counts.values())
    kept = sorted(
        (item for item in counts.items() if item[1] >= least_strokes),
        key=lambda item: (-item[1] if order == "most_first" else 0, item[0]),
    )
    lines = [f"{option}: {count} ({100 * count / max(1, total):.1f} %)" for option, count in kept[:20]]
    return TallySheet(lines=lines, total=total, option_count=len(kept))
