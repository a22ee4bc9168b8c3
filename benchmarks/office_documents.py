"""Time to write and read the documents of an office.

    python -m benchmarks.office_documents                  # the table, a few seconds on a quiet machine
    python -m benchmarks.office_documents --json out.json  # the figures for a program, too

Needs the extra `dev` (pydantic is the yardstick, see measure.py). Run nothing else meanwhile. The exit status is 0 when
every target is met, 1 when one is missed, and 2 for a wrong use.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from benchmarks.env_speed import Row, environment, json_file, show
from benchmarks.measure import measure, timed
from teller_gym.office.documents.amounts import MoneyStyle, money_text, parse_money
from teller_gym.office.documents.dates import parse_date
from teller_gym.office.documents.headers import normal_header
from teller_gym.office.documents.pdf_document import PdfDocument, PdfTable, letter, statement
from teller_gym.office.documents.pdf_reading import pdf_text
from teller_gym.office.documents.pdf_writing import pdf_bytes
from teller_gym.office.documents.perturbing import perturbed
from teller_gym.office.documents.reading import read_table
from teller_gym.office.documents.tables import Table
from teller_gym.office.documents.writing import csv_bytes

MAX_PAGE_MS = 1.0
"""Milliseconds in which a page of a PDF is to be written."""

ROWS = 40
"""Rows of the statement, which fill its page."""


def transactions(count: int) -> Table:
    """Return a statement's table with so many rows."""
    rows = (
        (
            f"2026-03-{number % 28 + 1:02d}",
            f"Wire transfer no. {number}, Müller & Søn",
            money_text(number * 137, MoneyStyle.GROUPED) if number % 3 else "",
            money_text(number * 971, MoneyStyle.GROUPED),
        )
        for number in range(count)
    )
    return Table(("Date", "Description", "Debit", "Balance"), tuple(rows))


def documents() -> dict[str, PdfDocument]:
    """Return a page of text, and a page with a table."""
    details = [("Account number", "1234-5678"), ("Account holder", "José Núñez")]
    table = PdfTable(transactions(ROWS), ("Debit", "Balance"))
    paragraphs = ["We refer to your letter and confirm what was agreed on the telephone. " * 8] * 4
    return {
        "a letter of one page": letter(
            ["First Bank"], ["Ms Ørsted"], "9 March 2026", "Your loan", paragraphs, ["Yours"]
        ),
        "a statement of one page": statement("Statement", details, [("Transactions", table)]),
    }


def rows_of(repeats: int, seconds: float) -> list[Row]:
    """Return the table: for each operation, how long it takes."""

    def row(what: str, operation: Callable[[], Any], count: int, target: float | None = None) -> Row:
        found = measure(timed(operation, count), repeats, seconds)
        value = found.seconds * 1e3
        said = "reported" if target is None else f"< {target:g}"
        return Row(what, value, "ms", said, None if target is None else value < target, f"{found.items:.1f} items")

    rows = []
    for what, document in documents().items():
        data = pdf_bytes(document)
        rows.append(row(f"writing {what}", partial(pdf_bytes, document), 5, MAX_PAGE_MS))
        rows.append(row(f"reading {what}", partial(pdf_text, data), 5))
    table = transactions(1000)
    data = csv_bytes(table)
    rows += [
        row("writing 1,000 rows of CSV", lambda: csv_bytes(table), 2),
        row("reading 1,000 rows of CSV", lambda: read_table(data), 2),
        row("perturbing 1,000 rows", lambda: perturbed(table, Random(1), ("Debit", "Balance")), 1),
        row("an amount of money", lambda: parse_money("($1,234.50)"), 200),
        row("a date", lambda: parse_date("9 March 2026"), 200),
        row("a header", lambda: normal_header("Market Value ($)"), 200),
    ]
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=json_file, metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--repeats", type=int, default=5, help="bracketed repeats of each measurement (default 5)")
    parser.add_argument("--seconds", type=float, default=0.1, help="counted seconds of each repeat (default 0.1)")
    options = parser.parse_args(arguments)
    if options.repeats < 1 or options.seconds <= 0:
        parser.error("--repeats must be at least 1, and --seconds greater than 0")
    rows = rows_of(options.repeats, options.seconds)
    show(rows)
    if options.json:
        figures = {"environment": environment(), "rows": [row._asdict() for row in rows]}
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if all(row.met is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
