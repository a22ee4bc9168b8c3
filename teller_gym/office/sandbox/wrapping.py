"""Assigns a code's last expression to a name."""

from __future__ import annotations

import ast
from typing import Final

RESULT: Final = "_result_"
"""The name."""


def kept(code: str) -> tuple[str, bool]:
    """Return code that assigns its last expression to `RESULT`, and True if there is such an expression.

    Line numbers do not change. Code that this Python cannot parse is returned unchanged: the interpreter reports its
    errors, or runs it without a result if it supports newer syntax.
    """
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return code, False
    if not body or not isinstance(last := body[-1], ast.Expr) or last.end_lineno is None:
        return code, False
    # ast counts lines by these ends only, and columns in bytes.
    lines = code.replace("\r\n", "\n").replace("\r", "\n").encode().split(b"\n")
    begin = sum(len(line) + 1 for line in lines[: last.lineno - 1]) + last.col_offset
    end = sum(len(line) + 1 for line in lines[: last.end_lineno - 1]) + (last.end_col_offset or 0)
    text = b"\n".join(lines)
    return (text[:begin] + f"{RESULT} = (".encode() + text[begin:end] + b")" + text[end:]).decode(), True
