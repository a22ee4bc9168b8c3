"""Code with its last expression kept under a name."""

from __future__ import annotations

import ast
from typing import Final

RESULT: Final = "_result_"
"""The name."""


def kept(code: str) -> tuple[str, bool]:
    """Return code that keeps its last expression's value as `RESULT`, and whether there is such an expression.

    Lines stay where they are. Code that this Python cannot read is returned as it came: the interpreter says what is
    wrong with it, or runs it, if its grammar is the newer one; then it has no result.
    """
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return code, False
    if not body or not isinstance(last := body[-1], ast.Expr) or last.end_lineno is None:
        return code, False
    # ast counts lines by these ends alone, and columns in bytes.
    lines = code.replace("\r\n", "\n").replace("\r", "\n").encode().split(b"\n")
    begin = sum(len(line) + 1 for line in lines[: last.lineno - 1]) + last.col_offset
    end = sum(len(line) + 1 for line in lines[: last.end_lineno - 1]) + (last.end_col_offset or 0)
    text = b"\n".join(lines)
    return (text[:begin] + f"{RESULT} = (".encode() + text[begin:end] + b")" + text[end:]).decode(), True
