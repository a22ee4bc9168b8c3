"""Base class for experts, whose officers make the SOP's calls and stop early if a finding ends the case.

A scenario's officer has one method for each judgement, so that a lapse can omit a judgement by overriding only that
method (see :mod:`teller_gym.procedure.lapses`)::

    class Officer(officer.Officer):
        case_argument = "application_id"
        nodes = nodes_of(__package__)

        def work(self) -> Steps:
            try:
                yield from self.take_in()
                ending = yield from self.price()
            except CaseEndedError as end:
                ending = end.ending
            yield from self.close(ending)

Officers do not repeat the sources of arguments in ``graph.yaml``: :meth:`Officer.fill_in` copies values from earlier
results and takes derived ones from the officer's method of that name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping
from functools import cache, cached_property
from importlib import resources
from typing import Any, ClassVar

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.graph import How, Node, NodeInput, Source, load_graph
from teller_gym.tools.call import Call

Seen = dict[str, Any]
"""Tool result, or part of one."""

Steps = Generator[Call, Seen, None]
"""Work of an expert, as a generator that yields calls and receives their results."""

Asking = Generator[Call, Seen, Seen]
"""Part of an expert's work that returns a result."""


class NotedCall(Call, frozen=True):
    """Call with the note that the expert writes before it; the note is not passed to the tool."""

    note: str = ""


class CaseEndedError(Exception):
    """Raised to end a case before its last step; each scenario has its own type of ``ending``."""

    def __init__(self, ending: Any) -> None:
        super().__init__(ending)
        self.ending = ending


class Officer(ABC):
    """Makes a case's calls; subclasses decide their arguments and when to stop."""

    case_argument: ClassVar[str]
    """Name of the argument for the case's id, such as ``application_id``."""

    nodes: ClassVar[Mapping[str, Node]] = {}
    """Nodes in ``graph.yaml``, from which :meth:`fill_in` reads the origins of arguments."""

    case_id: str
    """Id of the case, which the scenario takes from the request."""

    @cached_property
    def results(self) -> dict[str, list[tuple[Seen, Seen]]]:
        """Arguments and results of successful calls, by tool."""
        return {}

    @abstractmethod
    def work(self) -> Steps:
        """Work through the SOP's steps up to the final review."""

    def written(self, name: str, arguments: Seen) -> Call:
        """Create a call; subclasses override this to add a note."""
        return Call(name, arguments)

    def ask(self, name: str, /, **arguments: Any) -> Asking:
        """Make a call and return its result."""
        result = yield self.written(name, arguments)
        if "error" not in result:
            self.results.setdefault(name, []).append((arguments, result))
        return result

    def about_case(self, name: str, /, **arguments: Any) -> Asking:
        """Make a call with the case's id as an argument."""
        return (yield from self.ask(name, **{self.case_argument: self.case_id}, **arguments))

    def fill_in(self, name: str, /, **given: Any) -> Asking:
        """Make a call with the given arguments, and fill in all others according to ``graph.yaml``.

        Copied arguments come from the request (the case's id, or the officer's attribute of that name) or from the
        newest result with the same ids. Derived arguments come from the officer's attribute or method of that name.

        Args:
            name: tool with a node in ``graph.yaml``.
            **given: arguments that are not filled in.

        Raises:
            ScenarioError: an argument's source has not been seen, or the tool does not have a given argument.
        """
        inputs = self.nodes[name].inputs
        if unknown := given.keys() - inputs.keys():
            raise ScenarioError(f"{name}: expected arguments of the tool ({', '.join(inputs)}), got {sorted(unknown)}")
        known = dict(given)
        missing = [(argument, item) for argument, item in inputs.items() if argument not in given]
        for argument, item in missing:
            if item.source is Source.USER_INPUT or item.how is not How.COPY:
                known[argument] = self._own(name, argument)
        ids = {argument: value for argument, value in known.items() if argument.endswith("_id")}
        for argument, item in missing:
            if argument not in known:
                known[argument] = self._copied(name, argument, item, ids)
        return (yield from self.ask(name, **{argument: known[argument] for argument in inputs}))

    def _own(self, name: str, argument: str) -> Any:
        """Return an argument from the officer's attribute or method with the same name."""
        if argument == self.case_argument:
            return self.case_id
        if not hasattr(self, argument):
            raise ScenarioError(f"{name}.{argument}: expected it to be given, or a method {argument} of the officer")
        found = getattr(self, argument)
        return found() if callable(found) else found

    def _copied(self, name: str, argument: str, item: NodeInput, ids: Seen) -> Any:
        """Return an argument from the newest result, or row of a result, that has no conflicting ids."""
        for origin in item.origin:
            tool, _, output = origin.partition(".")
            for arguments, result in reversed(self.results.get(tool, ())):
                if not _same(arguments, ids):
                    continue
                value = result[output]
                if not (isinstance(value, list) and value and isinstance(value[0], dict)):
                    return value
                rows = [row for row in value if argument in row and _same(row, ids)]
                if rows:
                    return rows[0][argument]
        raise ScenarioError(
            f"{name}.{argument}: graph.yaml copies it from {', '.join(item.origin)}, which has not been seen; call that"
            " tool before, or give the argument"
        )

    def end(self, ending: Any) -> Steps:
        """End the case with an ending, or do nothing if it is None.

        Raises:
            CaseEndedError: the ending is not None.
        """
        if ending is not None:
            raise CaseEndedError(ending)
        yield from ()


def _same(seen: Seen, ids: Seen) -> bool:
    return all(ids.get(key, value) == value for key, value in seen.items() if key in ids)


@cache
def nodes_of(package: str) -> Mapping[str, Node]:
    """Read the nodes in a package's ``graph.yaml``."""
    return load_graph(resources.files(package).joinpath("graph.yaml").read_bytes()).nodes


def of(seen: Seen, *names: str) -> Seen:
    """Return some of a result's values by name, for use as arguments."""
    return {name: seen[name] for name in names}
