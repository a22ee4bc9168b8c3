"""Small data as text: CSV columns, pivots, joins and filters, JSON keys and paths, buckets, tables, templates."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general import _json_work as json_work
from teller_gym.scenarios.distractors.general import _table_work as work
from teller_gym.scenarios.distractors.general._plain_text import keep_short, quoted, refuse
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

CsvText = Annotated[str, Meta(min_length=1, max_length=1200)]
ColumnName = Annotated[str, Meta(min_length=1, max_length=60)]
JsonText = Annotated[str, Meta(min_length=1, max_length=1200)]
JsonPath = Annotated[str, Meta(min_length=1, max_length=80)]
Value = Annotated[float, Meta(ge=-1e9, le=1e9)]
Assignment = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,29}=", max_length=120)]

_TEMPLATES = "misc_text_templates"


class ColumnSummary(Result):
    """What a column holds; the numbers are null unless every filled cell is a number, and rounded to four decimals."""

    filled: int
    blank: int
    distinct: int
    most_common: str
    minimum: float | None
    maximum: float | None
    mean: float | None
    median: float | None


@tool(category=Category.GENERAL_DISTRACTOR)
def summarize_csv_column(
    bank: Bank, csv_text: CsvText, column: ColumnName, delimiter: work.Delimiter = "comma"
) -> ColumnSummary:
    """Summarise a column of a CSV text: filled, blank and distinct cells, and for numbers their range and averages.

    Args:
        csv_text: The table; its first line names the columns.
        column: Name of the column.
        delimiter: What stands between cells.
    """
    table = work.read_table(csv_text, delimiter, "csv_text")
    place = table.column(column, "column")
    cells = [row[place] for row in table.rows if row[place]]
    if not cells:
        raise refuse("column", f"expected a column with filled cells, got {quoted(column)} with none")
    numbers = sorted(work.numbers(cells))
    numeric = len(numbers) == len(cells)
    return ColumnSummary(
        filled=len(cells),
        blank=len(table.rows) - len(cells),
        distinct=len(set(cells)),
        most_common=Counter(cells).most_common(1)[0][0],
        minimum=work.shown(numbers[0]) if numeric else None,
        maximum=work.shown(numbers[-1]) if numeric else None,
        mean=work.shown(Fraction(sum(numbers)) / len(numbers)) if numeric else None,
        median=work.shown(work.median(numbers)) if numeric else None,
    )


class CsvResult(Result):
    """A table as CSV text with its number of rows (the header is none) and columns."""

    csv_text: str
    rows: int
    columns: int


@tool(category=Category.GENERAL_DISTRACTOR)
def pivot_csv_table(
    bank: Bank,
    csv_text: CsvText,
    row_column: ColumnName,
    split_column: ColumnName,
    aggregate: work.Aggregate = "count",
    value_column: ColumnName | None = None,
    delimiter: work.Delimiter = "comma",
    totals: bool = False,
) -> CsvResult:
    """Make a pivot table of a CSV text: a row for each value of one column, a column for each value of another.
    Numbers are rounded to four decimals.

    Args:
        csv_text: The table; its first line names the columns.
        row_column: The column whose values become rows, in order of appearance.
        split_column: The column whose values become columns.
        aggregate: What is worked out for each pair of values.
        value_column: The column of numbers to add up or average; none for counting.
        delimiter: What stands between cells.
        totals: Whether to add a row and a column for everything.
    """
    table = work.read_table(csv_text, delimiter, "csv_text")
    result = work.pivot(table, row_column, split_column, value_column, aggregate, totals)
    return CsvResult(
        csv_text=keep_short(result.write(delimiter), "csv_text"), rows=len(result.rows), columns=len(result.header)
    )


class JoinedCsv(Result):
    """The joined table, all its rows counted, and how many rows of either side found no partner."""

    csv_text: str
    rows: int
    left_without_partner: int
    right_without_partner: int


@tool(category=Category.GENERAL_DISTRACTOR)
def join_csv_tables(
    bank: Bank,
    left_csv: CsvText,
    right_csv: CsvText,
    left_key: ColumnName,
    right_key: ColumnName,
    join_type: work.JoinType = "inner",
    delimiter: work.Delimiter = "comma",
    fill_value: Annotated[str, Meta(max_length=20)] = "",
    ignore_case: bool = False,
    max_rows: Annotated[int, Meta(ge=1, le=50)] = 50,
) -> JoinedCsv:
    """Join two CSV texts where the values of a key column agree. A column name that both have gets 'right_' in front.

    Args:
        left_csv: The first table; its first line names the columns.
        right_csv: The second table.
        left_key: Key column of the first table.
        right_key: Key column of the second table.
        join_type: Which rows without a partner are kept: none, those of one side or of both.
        delimiter: What stands between cells, in both tables and in the result.
        fill_value: What is put into cells that have no value.
        ignore_case: Whether keys that differ in capitals alone agree.
        max_rows: Most rows to show.
    """
    left = work.read_table(left_csv, delimiter, "left_csv")
    right = work.read_table(right_csv, delimiter, "right_csv")
    keys = left.column(left_key, "left_key"), right.column(right_key, "right_key")
    joined = work.join(left, right, keys, join_type, fill_value, ignore_case, max_rows)
    return JoinedCsv(
        csv_text=keep_short(joined.table.write(delimiter), "max_rows"),
        rows=joined.rows,
        left_without_partner=joined.left_alone,
        right_without_partner=joined.right_alone,
    )


class FilteredCsv(Result):
    """The rows that match, as CSV text, and how many match out of how many."""

    csv_text: str
    rows_matched: int
    rows_read: int


@tool(category=Category.GENERAL_DISTRACTOR)
def filter_csv_rows(
    bank: Bank,
    csv_text: CsvText,
    column: ColumnName,
    condition: work.Condition,
    value: Annotated[str, Meta(max_length=60)] = "",
    delimiter: work.Delimiter = "comma",
    ignore_case: bool = False,
    keep_columns: Annotated[list[ColumnName], Meta(min_length=1, max_length=20)] | None = None,
    max_rows: Annotated[int, Meta(ge=1, le=50)] = 50,
) -> FilteredCsv:
    """Keep the rows of a CSV text whose cell in a column meets a condition.

    Args:
        csv_text: The table; its first line names the columns.
        column: The column to look at.
        condition: What must hold for its cell; above and below compare numbers.
        value: What the cell is compared with; empty for is_blank.
        delimiter: What stands between cells.
        ignore_case: Whether capitals make no difference.
        keep_columns: The columns to show, in this order; all if left out.
        max_rows: Most rows to show.
    """
    table = work.read_table(csv_text, delimiter, "csv_text")
    matches = work.matcher(condition, value.strip(), ignore_case)
    place = table.column(column, "column")
    found = [row for row in table.rows if matches(row[place])]
    result = work.Table(table.header, found[:max_rows]).select(keep_columns or table.header, "keep_columns")
    return FilteredCsv(
        csv_text=keep_short(result.write(delimiter), "max_rows"), rows_matched=len(found), rows_read=len(table.rows)
    )


class RenderedTable(Result):
    """The table as text, and its rows and columns without the header."""

    rendered: str
    rows: int
    columns: int


@tool(category=Category.GENERAL_DISTRACTOR)
def render_csv_table(
    bank: Bank,
    csv_text: CsvText,
    style: work.TableStyle = "markdown",
    delimiter: work.Delimiter = "comma",
    transpose: bool = False,
    align_numbers: bool = True,
    max_cell_width: Annotated[int, Meta(ge=3, le=60)] = 30,
) -> RenderedTable:
    """Render a CSV text as a Markdown, plain text or HTML table.

    Args:
        csv_text: The table; its first line names the columns.
        style: How the table is written.
        delimiter: What stands between cells of the CSV text.
        transpose: Whether rows and columns change places.
        align_numbers: Whether columns of numbers are aligned to the right; HTML leaves that to style sheets.
        max_cell_width: Longer cells are cut to so many characters.
    """
    table = work.read_table(csv_text, delimiter, "csv_text")
    if transpose:
        table = table.transposed()
    rendered = keep_short(work.render(table, style, align_numbers, max_cell_width), "csv_text")
    return RenderedTable(rendered=rendered, rows=len(table.rows), columns=len(table.header))


class JsonKeyCheck(Result):
    """Whether the text passes, and what is wrong with it."""

    passes: bool
    missing: list[str]
    null_values: list[str]
    other_keys: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def check_json_keys(
    bank: Bank,
    json_text: JsonText,
    required_paths: Annotated[list[JsonPath], Meta(min_length=1, max_length=30)],
    allow_null: bool = False,
    allow_other_keys: bool = True,
) -> JsonKeyCheck:
    """Check that a JSON object has all the keys that it must have.

    Args:
        json_text: The JSON text.
        required_paths: Keys that must be there; nested ones with dots, places in lists as numbers, as in items.0.name.
        allow_null: Whether null counts as a value.
        allow_other_keys: Whether the object itself may have keys with which no required path begins.
    """
    value = json_work.read_json(json_text)
    if not isinstance(value, dict):
        raise refuse("json_text", f"expected a JSON object, got {quoted(json_text)}")
    missing = [path for path in required_paths if not json_work.values_at(value, path)]
    null_values = [path for path in required_paths if json_work.values_at(value, path) == [None]]
    first_steps = {path.split(".")[0] for path in required_paths}
    other_keys = [key for key in value if key not in first_steps]
    passes = not missing and (allow_null or not null_values) and (allow_other_keys or not other_keys)
    keep_short([missing, null_values, other_keys], "json_text")
    return JsonKeyCheck(passes=passes, missing=missing, null_values=null_values, other_keys=other_keys)


class FlatJson(Result):
    """All paths with their values, in the order of the text."""

    entries: list[json_work.JsonLeaf]
    count: int


@tool(category=Category.GENERAL_DISTRACTOR)
def flatten_json(
    bank: Bank,
    json_text: JsonText,
    separator: Literal[".", "/", "_"] = ".",
    max_depth: Annotated[int, Meta(ge=1, le=20)] = 20,
) -> FlatJson:
    """Flatten nested JSON to a list of paths and values; places in lists are counted from 0.

    Args:
        json_text: The JSON text, an object or a list.
        separator: What stands between the steps of a path.
        max_depth: How many levels are taken apart; what is nested deeper stays together.
    """
    value = json_work.read_json(json_text)
    if not isinstance(value, dict | list) or not value:
        raise refuse("json_text", f"expected an object or a list that is not empty, got {quoted(json_text)}")
    entries = json_work.flatten(value, separator, max_depth)
    return FlatJson(entries=keep_short(entries, "json_text"), count=len(entries))


class Buckets(Result):
    """The buckets from low to high; a value on an edge between two belongs to the upper one."""

    buckets: list[work.Bucket]
    fullest: int
    left_out: int


@tool(category=Category.GENERAL_DISTRACTOR)
def bucket_values(
    bank: Bank,
    values: Annotated[list[Value], Meta(min_length=1, max_length=50)],
    bucket_count: Annotated[int, Meta(ge=1, le=20)],
    method: work.BucketMethod = "equal_width",
    lower: Value | None = None,
    upper: Value | None = None,
    decimals: Annotated[int, Meta(ge=0, le=6)] = 2,
) -> Buckets:
    """Sort numbers into the buckets of a histogram. ``fullest`` is the number of the first bucket with the most values.

    Args:
        values: The numbers.
        bucket_count: How many buckets.
        method: Whether buckets are equally wide or hold about equally many values.
        lower: The lowest edge; smaller values are left out. Without it, the smallest value.
        upper: The highest edge; larger values are left out. Without it, the largest value.
        decimals: Decimals to which the edges are rounded for display.
    """
    inside, limits = work.bucket_edges(values, bucket_count, method, lower, upper)
    buckets = work.fill_buckets(inside, limits, decimals)
    counts = [bucket.count for bucket in buckets]
    return Buckets(buckets=buckets, fullest=counts.index(max(counts)) + 1, left_out=len(values) - len(inside))


class SavedTemplate(Result):
    """The template on file, and the names of its placeholders in order."""

    template_id: str
    placeholders: list[str]
    replaced_earlier: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def save_text_template(
    bank: Bank,
    title: Annotated[str, Meta(min_length=3, max_length=60)],
    template_text: Annotated[str, Meta(min_length=3, max_length=500)],
    purpose: Literal["email", "notice", "label", "form"],
) -> SavedTemplate:
    """Save a text with placeholders such as {room} for later use. The same title replaces the earlier text.

    Args:
        title: What the template is called; capitals make no difference.
        template_text: The text; placeholders are small letters, digits and underscores in braces.
        purpose: What it is for.
    """
    names = work.placeholders(template_text)
    if not (name := " ".join(title.casefold().split())):
        raise refuse("title", f"expected a title, got {title!r}")
    template_id = bank.reference("TP", name)
    earlier = bank.get(_TEMPLATES, template_id)
    record = {"title": title, "text": template_text, "purpose": purpose, "placeholders": names}
    bank.put(_TEMPLATES, template_id, {**record, "saved_on": bank.today.isoformat(), "owner": "misc"})
    return SavedTemplate(template_id=template_id, placeholders=names, replaced_earlier=earlier is not None)


class FilledTemplate(Result):
    """The text with its values, and placeholders that got none."""

    filled_text: str
    values_used: int
    without_value: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def fill_text_template(
    bank: Bank,
    template_id: Annotated[str, Meta(pattern="^TP-[0-9]{6}$")],
    values: Annotated[list[Assignment], Meta(max_length=30)],
    without_value: work.WithoutValue = "refuse",
    allow_unused: bool = False,
) -> FilledTemplate:
    """Put values into the placeholders of a saved text template.

    Args:
        template_id: The saved template.
        values: What to put in, each written as placeholder=value.
        without_value: What happens to a placeholder that gets no value.
        allow_unused: Whether a value may have no placeholder.
    """
    record = bank.get(_TEMPLATES, template_id.strip())
    if record is None:
        raise refuse("template_id", f"expected a saved template, got {template_id!r}; save it first")
    filled, used, open_names = work.fill(record, values, without_value, allow_unused)
    return FilledTemplate(filled_text=keep_short(filled, "values"), values_used=used, without_value=open_names)
