"""The work behind small data tables: reading and writing CSV, numbers in cells, pivots, joins, buckets, templates."""

from __future__ import annotations

import csv
import html
import io
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Literal, NamedTuple

import msgspec

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse
from teller_gym.tools.bank import Record

Delimiter = Literal["comma", "semicolon", "tab", "pipe"]
Condition = Literal["equals", "differs", "contains", "starts_with", "above", "below", "is_blank"]
JoinType = Literal["inner", "left", "right", "full"]
Aggregate = Literal["count", "sum", "mean"]
TableStyle = Literal["markdown", "plain", "html"]
WithoutValue = Literal["refuse", "keep", "blank"]
BucketMethod = Literal["equal_width", "equal_count"]

_DELIMITERS: dict[Delimiter, str] = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_MAX_CELLS = 400
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]{0,29})\}")


class Table(NamedTuple):
    """A table with named columns; every row has a cell for each."""

    header: list[str]
    rows: list[list[str]]

    def column(self, name: str, field: str) -> int:
        """Return the place of a column; refuse a name that the header lacks."""
        if name not in self.header:
            raise refuse(field, f"expected one of the columns {quoted(', '.join(self.header))}, got {quoted(name)}")
        return self.header.index(name)

    def select(self, names: Sequence[str], field: str) -> Table:
        """Return the table with these columns alone."""
        if len(set(names)) < len(names):
            raise refuse(field, f"expected every column once, got {quoted(', '.join(names))}")
        places = [self.column(name, field) for name in names]
        return Table(list(names), [[row[place] for place in places] for row in self.rows])

    def transposed(self) -> Table:
        """Return the table with rows and columns in each other's place."""
        header, *rows = (list(line) for line in zip(self.header, *self.rows, strict=True))
        return Table(header, rows)

    def write(self, delimiter: Delimiter) -> str:
        """Return the table as CSV text without a line end after the last row."""
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=_DELIMITERS[delimiter], lineterminator="\n").writerows([self.header, *self.rows])
        return buffer.getvalue().removesuffix("\n")


def read_table(text: str, delimiter: Delimiter, field: str) -> Table:
    """Read CSV text with a header; blank lines are skipped, spaces around cells are no part of them."""
    source = io.StringIO(text.replace("\r\n", "\n"), newline="")
    try:
        lines = [
            [cell.strip() for cell in line]
            for line in csv.reader(source, delimiter=_DELIMITERS[delimiter], strict=True)
            if any(cell.strip() for cell in line)
        ]
    except csv.Error as error:
        raise refuse(field, f"expected CSV text, got a mistake in it: {error}") from None
    if not lines:
        raise refuse(field, "expected a line with the names of the columns, got none")
    header, *rows = lines
    if "" in header or len(set(header)) < len(header):
        raise refuse(field, f"expected a different name for every column, got {quoted(', '.join(header))}")
    for number, row in enumerate(rows, 1):
        if len(row) != len(header):
            raise refuse(field, f"expected {len(header)} cells in every row, got {len(row)} in row {number}")
    return Table(header, rows)


def number(cell: str) -> Decimal | None:
    """Return the number in a cell: digits with a sign and a decimal point at most."""
    return Decimal(cell) if _NUMBER.fullmatch(cell) else None


def numbers(cells: Iterable[str]) -> list[Decimal]:
    """Return the numbers among some cells."""
    return [found for cell in cells if (found := number(cell)) is not None]


def shown(value: Fraction | Decimal) -> float:
    """Return a number rounded to four decimals; adding 0 turns a negative zero into zero."""
    return round(float(value), 4) + 0.0


def as_text(value: Fraction | Decimal) -> str:
    """Return a number as a cell, rounded to four decimals, without zeros at the end."""
    rounded = round(Fraction(value), 4)
    return f"{Decimal(rounded.numerator) / Decimal(rounded.denominator):.4f}".rstrip("0").rstrip(".")


def median(ordered: Sequence[Decimal]) -> Decimal:
    """Return the middle of sorted numbers."""
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


class _Cell:
    """What is gathered for one cell of a pivot table."""

    def __init__(self) -> None:
        self.rows = 0
        self.total = Decimal(0)

    def add(self, value: Decimal) -> None:
        self.rows += 1
        self.total += value

    def text(self, aggregate: Aggregate) -> str:
        if not self.rows:
            return "0" if aggregate == "count" else ""
        if aggregate == "count":
            return str(self.rows)
        return as_text(self.total if aggregate == "sum" else Fraction(self.total) / self.rows)


def pivot(
    table: Table, row_column: str, split_column: str, value_column: str | None, aggregate: Aggregate, totals: bool
) -> Table:
    """Return a table with a row for each value of one column and a column for each value of another."""
    if (value_column is None) != (aggregate == "count"):
        wanted = "no column for count" if aggregate == "count" else f"a column of numbers for {aggregate}"
        got = "none" if value_column is None else quoted(value_column)
        raise refuse("value_column", f"expected {wanted}, got {got}")
    row_place, split_place = table.column(row_column, "row_column"), table.column(split_column, "split_column")
    value_place = None if value_column is None else table.column(value_column, "value_column")
    labels = list(dict.fromkeys(row[row_place] for row in table.rows))
    splits = list(dict.fromkeys(row[split_place] for row in table.rows))
    if len(labels) * len(splits) > _MAX_CELLS:
        size = f"{len(labels)} x {len(splits)}"
        raise refuse(
            "split_column", f"expected at most {_MAX_CELLS} cells in the result, got {size}; take other columns"
        )
    cells: dict[tuple[str | None, str | None], _Cell] = {
        (label, split): _Cell() for label in [*labels, None] for split in [*splits, None]
    }
    for line, row in enumerate(table.rows, 1):
        value = Decimal(0) if value_place is None else number(row[value_place])
        if value is None:
            raise refuse("value_column", f"expected numbers, got {quoted(row[value_place or 0])} in row {line}")
        for label in (row[row_place], None):
            for split in (row[split_place], None):
                cells[label, split].add(value)
    columns = [*splits, None] if totals else splits
    lines = [*labels, None] if totals else labels
    return Table(
        [table.header[row_place], *("total" if split is None else split for split in columns)],
        [
            ["total" if label is None else label, *(cells[label, split].text(aggregate) for split in columns)]
            for label in lines
        ],
    )


class Joined(NamedTuple):
    """A joined table, cut to the rows asked for, and how many rows there are and were left without a partner."""

    table: Table
    rows: int
    left_alone: int
    right_alone: int


def join(
    left: Table, right: Table, keys: tuple[int, int], how: JoinType, fill: str, ignore_case: bool, limit: int
) -> Joined:
    """Join two tables; the key stands where the left table has it, under its name there."""
    left_place, right_place = keys

    def fold(cell: str) -> str:
        return cell.casefold() if ignore_case else cell

    partners: dict[str, list[list[str]]] = {}
    for row in right.rows:
        rest = [cell for place, cell in enumerate(row) if place != right_place]
        partners.setdefault(fold(row[right_place]), []).append(rest)
    known = {fold(row[left_place]) for row in left.rows}
    blank = [fill] * (len(right.header) - 1)

    def rows() -> Iterator[list[str]]:
        for row in left.rows:
            alone = [blank] if how in ("left", "full") else []
            for rest in partners.get(fold(row[left_place]), alone):
                yield row + rest
        for row in right.rows if how in ("right", "full") else ():
            if fold(row[right_place]) not in known:
                start = [row[right_place] if place == left_place else fill for place in range(len(left.header))]
                yield start + [cell for place, cell in enumerate(row) if place != right_place]

    left_alone = sum(fold(row[left_place]) not in partners for row in left.rows)
    right_alone = sum(fold(row[right_place]) not in known for row in right.rows)
    matched = sum(len(partners.get(fold(row[left_place]), ())) for row in left.rows)
    extra = {"inner": 0, "left": left_alone, "right": right_alone, "full": left_alone + right_alone}[how]
    first_rows = list(islice(rows(), limit))
    return Joined(Table(_joined_header(left, right, right_place), first_rows), matched + extra, left_alone, right_alone)


def _joined_header(left: Table, right: Table, right_place: int) -> list[str]:
    names = [name for place, name in enumerate(right.header) if place != right_place]
    header = left.header + [f"right_{name}" if name in left.header else name for name in names]
    if len(set(header)) < len(header):
        raise refuse("right_csv", f"expected names that differ when joined, got {quoted(', '.join(header))}")
    return header


def matcher(condition: Condition, value: str, ignore_case: bool) -> Callable[[str], bool]:
    """Return the test of a cell; what is no number is neither above nor below anything."""
    if (condition == "is_blank") == bool(value):
        wanted = "nothing" if condition == "is_blank" else "something"
        raise refuse("value", f"expected {wanted} to compare with for {condition}, got {quoted(value)}")
    if condition in ("above", "below"):
        limit = number(value)
        if limit is None:
            raise refuse("value", f"expected a number for {condition}, got {quoted(value)}")
        sign = 1 if condition == "above" else -1
        return lambda cell: (found := number(cell)) is not None and sign * (found - limit) > 0

    def fold(text: str) -> str:
        return text.casefold() if ignore_case else text

    tests: dict[Condition, Callable[[str], bool]] = {
        "equals": lambda cell: fold(cell) == fold(value),
        "differs": lambda cell: fold(cell) != fold(value),
        "contains": lambda cell: fold(value) in fold(cell),
        "starts_with": lambda cell: fold(cell).startswith(fold(value)),
        "is_blank": lambda cell: not cell,
    }
    return tests[condition]


def render(table: Table, style: TableStyle, align_numbers: bool, width: int) -> str:
    """Return a table for reading; cells are cut to a width."""
    lines = [[_one_line(cell, width) for cell in line] for line in [table.header, *table.rows]]
    right = [
        align_numbers and bool(table.rows) and all(number(row[place]) is not None for row in table.rows)
        for place in range(len(table.header))
    ]
    if style == "html":
        tags = ["th"] + ["td"] * len(table.rows)
        body = [
            "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in line)
            for tag, line in zip(tags, lines, strict=True)
        ]
        return "<table>\n" + "\n".join(f"<tr>{line}</tr>" for line in body) + "\n</table>"
    if style == "markdown":
        lines = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in line] for line in lines]
    widths = [max(3, *(len(line[place]) for line in lines)) for place in range(len(right))]
    pads = [str.rjust if to_right else str.ljust for to_right in right]
    padded = [[pad(cell, size) for pad, cell, size in zip(pads, line, widths, strict=True)] for line in lines]
    if style == "plain":
        rule = ["-" * size for size in widths]
        return "\n".join("  ".join(line).rstrip() for line in [padded[0], rule, *padded[1:]])
    rule = ["-" * (size - 1) + ":" if to_right else "-" * size for size, to_right in zip(widths, right, strict=True)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [padded[0], rule, *padded[1:]])


def _one_line(cell: str, width: int) -> str:
    if not cell.isprintable():
        cell = "".join(character if character.isprintable() else " " for character in cell)
    plain = " ".join(cell.split())
    return plain if len(plain) <= width else plain[: width - 1] + "…"


class Bucket(msgspec.Struct):
    """A range of values and how many lie in it."""

    low: float
    high: float
    count: int


def bucket_edges(
    values: list[float], count: int, method: BucketMethod, lower: float | None, upper: float | None
) -> tuple[list[Fraction], list[Fraction]]:
    """Return the values between the outermost edges, and the ``count + 1`` edges, as exact numbers."""
    exact = [Fraction(repr(value)) for value in values]
    low = min(exact) if lower is None else Fraction(repr(lower))
    high = max(exact) if upper is None else Fraction(repr(upper))
    if low >= high:
        raise refuse("upper", f"expected more than the lowest edge {float(low)}, got {float(high)}; give both edges")
    inside = sorted(value for value in exact if low <= value <= high)
    if method == "equal_width":
        return inside, [low + (high - low) * place / count for place in range(count + 1)]
    distinct = len(set(inside))
    if distinct < count:
        raise refuse("bucket_count", f"expected at most {distinct}, one for each distinct value, got {count}")
    return inside, [low, *(inside[len(inside) * place // count] for place in range(1, count)), high]


def fill_buckets(values: list[Fraction], limits: list[Fraction], decimals: int) -> list[Bucket]:
    """Return the buckets; a value on an inner edge belongs above it, one on the highest edge to the last bucket."""
    last = len(limits) - 2
    counts = Counter(min(bisect_right(limits, value) - 1, last) for value in values)
    edges = [round(float(limit), decimals) + 0.0 for limit in limits]
    return [Bucket(low=edges[place], high=edges[place + 1], count=counts[place]) for place in range(last + 1)]


def placeholders(text: str) -> list[str]:
    """Return the names of the placeholders of a template; refuse one without any, or with braces that hold none."""
    names = list(dict.fromkeys(_PLACEHOLDER.findall(text)))
    rest = _PLACEHOLDER.sub("", text)
    if not names or "{" in rest or "}" in rest:
        raise refuse("template_text", f"expected placeholders like {{room}} and no other braces, got {quoted(text)}")
    return names


def fill(
    record: Record, values: list[str], without_value: WithoutValue, allow_unused: bool
) -> tuple[str, int, list[str]]:
    """Return the text of a template with values, how many were used, and the placeholders that got none."""
    given = dict(item.split("=", 1) for item in values)
    if len(given) < len(values):
        raise refuse("values", f"expected every placeholder once, got {len(values) - len(given)} again")
    names = record["placeholders"]
    left_open = [name for name in names if name not in given]
    unused = [name for name in given if name not in names]
    if left_open and without_value == "refuse":
        raise refuse("values", f"expected values for all placeholders, got none for {', '.join(left_open)}")
    if unused and not allow_unused:
        raise refuse("values", f"expected placeholders of the template, got {', '.join(unused)}")
    text = _PLACEHOLDER.sub(
        lambda match: given.get(match[1], match[0] if without_value == "keep" else ""), record["text"]
    )
    return text, len(given) - len(unused), left_open
