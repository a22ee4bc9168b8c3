"""Python and a calculator as agent tools, for example to add up tables without reading them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from teller_gym.base.errors import ErrorKind, ToolError, invalid
from teller_gym.office.desk.desk import Desk
from teller_gym.office.files import reading, writing
from teller_gym.office.sandbox import CalculationError
from teller_gym.office.sandbox import calculate as calculated
from teller_gym.office.sandbox import run_python as run
from teller_gym.tools.tool import Act, Result, tool


class Value(Result):
    """Value of an expression, as text."""

    value: str


class Ran(Result):
    """Output of code and the value of its last line; ``truncated`` is true if either was cut."""

    printed: str
    result: Any
    truncated: bool


class DeskFiles:
    """Files of the desk's user, as seen by the code."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self, path: str) -> bytes:
        return reading.read_file(self._desk.store, self._desk.user, path)

    def write(self, path: str, data: bytes) -> None:
        writing.write_file(self._desk.store, self._desk.user, path, data)

    def list(self, path: str) -> list[str]:
        return [str(one["path"]) for one in reading.list_folder(self._desk.store, self._desk.user, path)]


@tool()
def calculate(desk: Desk, expression: Annotated[str, Meta(min_length=1, max_length=1000)]) -> Value:
    """Work out an arithmetic expression with exact decimals, such as round(1234.5 * 0.07, 2).

    Args:
        expression: Numbers without thousands separators, + - * / // % **, parentheses, min, max, sum, abs, round(x, n).
    """
    try:
        return Value(value=calculated(expression))
    except CalculationError as error:
        raise invalid("expression", f"{error.message} (character {error.position})") from None


@tool(act=Act.REVISABLE)
def run_python(desk: Desk, code: Annotated[str, Meta(min_length=1, max_length=100_000)]) -> Ran:
    """Run Python code; what it prints and the value of its last line come back. It reaches the file store by
    read_text(path), read_csv(path) (a list of dicts of texts), write_text(path, text), write_csv(path, rows) (a list
    of dicts, with the columns of the first) and list_files(path), and nothing else. Each call begins anew; what was
    written before an error stays written. Money is added up exactly with the module decimal.

    Args:
        code: The code.
    """
    outcome = run(code, DeskFiles(desk), now=desk.store.clock(), seed=desk.store.seed)
    if outcome.error is not None:
        error = outcome.error
        where = "" if error.line is None else f" in line {error.line}"
        printed = f"; printed before: {outcome.printed[-500:]}" if outcome.printed else ""
        raise ToolError(ErrorKind.VALIDATION, f"{error.kind}{where}: {error.message}{printed}", "code")
    truncated = outcome.printed_truncated or outcome.result_truncated
    return Ran(printed=outcome.printed, result=outcome.result, truncated=truncated)
