"""CSV and JSON texts read and written."""

from __future__ import annotations

import csv
import html
import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from teller_gym.base.errors import invalid

_DELIMITERS: Final = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?")
# A string that is not closed ends with the text, so that no quote is read twice.
_BRACKET_OR_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)
_DEEPEST: Final = 20
_PLACEHOLDER: Final = re.compile(r"\{([a-z][a-z0-9_]{0,29})\}")

Lines = list[list[str]]


def read_csv(text: str, delimiter: str, argument: str) -> dict[str, Any]:
    """Return the ``header`` and the ``rows`` of a CSV text; blank lines and spaces around cells are dropped."""
    source = io.StringIO(text.replace("\r\n", "\n"), newline="")
    try:
        lines = [
            [cell.strip() for cell in row] for row in csv.reader(source, delimiter=_DELIMITERS[delimiter], strict=True)
        ]
    except csv.Error as error:
        raise invalid(argument, f"expected CSV text, got a mistake in it: {error}") from None
    header, *rows = [line for line in lines if any(line)] or [[]]
    if not header or "" in header or len(set(header)) < len(header):
        raise invalid(argument, f"expected a first line with a different name for every column, got {header}")
    odd = next((place for place, row in enumerate(rows, 1) if len(row) != len(header)), None)
    if odd is not None:
        raise invalid(argument, f"expected {len(header)} cells in every row, got {len(rows[odd - 1])} in row {odd}")
    return {"header": header, "rows": rows}


def write_csv(lines: Lines, delimiter: str, argument: str) -> str:
    """Return lines of cells as CSV text; refuses an answer that is too long to read."""
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=_DELIMITERS[delimiter], lineterminator="\n").writerows(lines)
    return short(buffer.getvalue().removesuffix("\n"), argument)


def short(answer: Any, argument: str) -> Any:
    """Return an answer, unless it is too long to read."""
    size = len(msgspec.json.encode(answer))
    if size > 3500:
        raise invalid(argument, f"expected less of it, got an answer of {size} bytes where 3500 fit")
    return answer


def is_number(cell: str) -> bool:
    """Return True for a cell with digits, at most with a sign and a decimal point."""
    return _NUMBER.fullmatch(cell) is not None


def joined(left: Lines, right: Lines, keys: list[int], how: str, fill: str, ignore_case: bool) -> Iterator[list[str]]:
    """Yield the rows of two tables that agree in a key; the key is where the left table has it."""
    left_key, right_key = keys
    blank = [fill] * (len(right[0]) - 1)
    partners: dict[str, Lines] = {}
    for row in right[1:]:
        partners.setdefault(fold(row[right_key], ignore_case), []).append(row)
    for row in left[1:]:
        found = partners.get(fold(row[left_key], ignore_case))
        if found or how in ("left", "full"):
            rests = [other[:right_key] + other[right_key + 1 :] for other in found or ()]
            yield from (row + rest for rest in rests or [blank])
    known = {fold(row[left_key], ignore_case) for row in left[1:]}
    for row in right[1:] if how in ("right", "full") else ():
        if fold(row[right_key], ignore_case) not in known:
            start = [row[right_key] if place == left_key else fill for place in range(len(left[0]))]
            yield start + row[:right_key] + row[right_key + 1 :]


def fold(cell: str, ignore_case: bool) -> str:
    """Return what is compared of a cell."""
    return cell.casefold() if ignore_case else cell


def render(lines: Lines, style: str, align_numbers: bool, width: int) -> str:
    """Return a table for reading; cells are cut to a width."""
    cells = [[_one_line(cell, width) for cell in line] for line in lines]
    if style == "html":
        rows = [
            "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in line)
            for tag, line in zip(["th"] + ["td"] * len(cells), cells, strict=False)
        ]
        return "<table>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"
    if style == "markdown":
        cells = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in line] for line in cells]
    columns = list(zip(*cells, strict=True))
    right = [
        align_numbers and len(lines) > 1 and all(map(is_number, column[1:])) for column in zip(*lines, strict=True)
    ]
    widths = [max(3, *map(len, column)) for column in columns]
    header, *rest = [
        [
            cell.rjust(size) if to_right else cell.ljust(size)
            for cell, size, to_right in zip(line, widths, right, strict=True)
        ]
        for line in cells
    ]
    if style == "plain":
        return "\n".join("  ".join(line).rstrip() for line in [header, ["-" * size for size in widths], *rest])
    rule = ["-" * (size - 1) + (":" if to_right else "-") for size, to_right in zip(widths, right, strict=True)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *rest])


def _one_line(cell: str, width: int) -> str:
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in cell).split())
    return plain if len(plain) <= width else plain[: width - 1] + "…"


def read_json(text: str) -> Any:
    """Return the value of a JSON text that is not nested too deeply, in a list of one."""
    depth = deepest = 0
    for match in _BRACKET_OR_STRING.findall(text):
        depth += 1 if match in ("[", "{") else -1 if match in ("]", "}") else 0
        deepest = max(deepest, depth)
    if deepest > _DEEPEST:
        raise invalid("json_text", f"expected at most {_DEEPEST} levels, got {deepest}")
    try:
        return [msgspec.json.decode(text)]
    except msgspec.DecodeError as error:
        raise invalid("json_text", f"expected JSON, got a mistake in it: {error}") from None


def is_object(value: Any) -> bool:
    """Return True for a JSON object."""
    return isinstance(value, dict)


def at_path(value: Any, path: str) -> list[Any]:
    """Return the value at a dotted path in a list, an empty list if there is none."""
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and re.fullmatch("[0-9]{1,4}", step) and int(step) < len(value):
            value = value[int(step)]
        else:
            return []
    return [value]


def flatten(value: Any, separator: str, depth: int) -> list[dict[str, str]]:
    """Return the paths and values of what is nested; refuses a separator by which two values get the same path."""
    found = list(_leaves(value, separator, depth, ""))
    path, copies = Counter(path for path, _ in found).most_common(1)[0]
    if copies > 1:
        raise invalid("separator", f"expected one that keeps paths apart, got {copies} values at {path[:60]!r}")
    return [{"path": path, "value": msgspec.json.encode(item).decode()} for path, item in found]


def _leaves(value: Any, separator: str, depth: int, path: str) -> Iterator[tuple[str, Any]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not depth or not steps or not value:
        yield path, value
        return
    for name, item in steps:
        yield from _leaves(item, separator, depth - 1, f"{path}{separator}{name}" if path else str(name))


def placeholders(text: str) -> list[str]:
    """Return the names of a template's placeholders, an empty list if it has other braces."""
    rest = _PLACEHOLDER.sub("", text)
    return [] if "{" in rest or "}" in rest else list(dict.fromkeys(_PLACEHOLDER.findall(text)))


def filled(text: str, given: dict[str, str], keep: bool) -> str:
    """Return a template with values in its placeholders."""
    return _PLACEHOLDER.sub(lambda match: given.get(match[1], match[0] if keep else ""), text)
