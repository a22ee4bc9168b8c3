"""Running a model's Python, away from everything but the office's files."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

from teller_gym.base.errors import MissingExtraError
from teller_gym.office.sandbox import advice
from teller_gym.office.sandbox.faults import fault_of, unfit
from teller_gym.office.sandbox.files import FileFunctions, Files
from teller_gym.office.sandbox.limits import Limits
from teller_gym.office.sandbox.outcome import Fault, Outcome
from teller_gym.office.sandbox.pool import pool
from teller_gym.office.sandbox.results import jsonable

if TYPE_CHECKING:
    from pydantic_monty import OSPolicy, ResourceLimits

_LIMITS = Limits()


def run_python(
    code: str, files: Files, limits: Limits = _LIMITS, *, now: datetime | None = None, seed: int | str = 0
) -> Outcome:
    """Run code and return what it came to; whatever the code does, that is an outcome and not an exception.

    The code calls ``read_text(path, encoding=None)``, ``read_csv(path, delimiter=None, encoding=None)`` (a list of
    dicts of texts), ``write_text(path, text)``, ``write_csv(path, rows, columns=None)`` and ``list_files(path="/")``.
    Equal arguments and equal files give equal outcomes, in any process and any order, unless a run comes close to the
    limit of time. Runs may go on in several threads at once.

    Args:
        code: what the model wrote.
        files: the office's.
        limits: what the run may use.
        now: what every clock shows, in UTC unless it has a time zone; None: there is no clock, and code that asks for
            the time gets an error.
        seed: of ``random``.

    Raises:
        MissingExtraError: the extra ``office`` is not installed.
        Exception: what a method of ``files`` raised that is none of the code's business; see `Files`.
    """
    problem = unfit(code, limits)
    if problem is not None:
        return Outcome(error=problem)
    workers = pool()
    from pydantic_monty import MontyError

    functions = FileFunctions(files, limits)
    printed = _Printed(limits.output)
    value: Any = None
    error: Fault | None = None
    try:
        with workers.checkout(script_name="code.py", limits=_limits(limits), os_policy=_policy(now, seed)) as session:
            value = session.feed_run(code, external_lookup=functions.by_name(), print_callback=printed, os=_refuse)
    except MontyError as raised:
        error = fault_of(raised, limits)
    except FileNotFoundError as raised:
        # The program is looked for when a worker is started, not when the pool is made.
        raise MissingExtraError("running Python code in the office", "office") from raised
    if functions.fault is not None:
        raise functions.fault
    result, truncated = (None, False) if error else jsonable(value, limits.output)
    return Outcome(result, printed.text(), error, printed.truncated, truncated)


class _Printed:
    """The first characters of what is printed; what comes after is counted as lost, not kept."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.truncated = False
        self._parts: list[str] = []

    def __call__(self, stream: str, text: str) -> None:
        """Take a piece of output; of which stream makes no difference."""
        self.truncated = self.truncated or len(text) > self.left
        if self.left:
            self._parts.append(text[: self.left])
            self.left -= len(self._parts[-1])

    def text(self) -> str:
        """Return what was kept."""
        return "".join(self._parts)


def _refuse(*, name: str, **_: Any) -> NoReturn:
    """Refuse a call of the system: files, environment, clock, randomness.

    Raises:
        PermissionError: always; the code can catch it.
    """
    raise PermissionError(advice.refusal(name))


def _limits(limits: Limits) -> ResourceLimits:
    return {
        "max_feed_duration_secs": limits.seconds,
        "max_memory": limits.memory,
        "max_recursion_depth": limits.recursion,
        "max_suspensions": limits.host_calls,
    }


def _policy(now: datetime | None, seed: int | str) -> OSPolicy:
    return {
        "datetime": "call_host" if now is None else now,
        "sleep": "zero",
        "process_time": "zero",
        "random_start": {"seed": seed},
    }
