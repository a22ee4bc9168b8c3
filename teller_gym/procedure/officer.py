"""Base class of experts: an officer makes the SOP's calls and stops early when a finding ends the case.

A scenario derives its own officer, with one method for each judgement, so that an agent that leaves a judgement out
overrides only that method (see :mod:`teller_gym.procedure.lapses`)::

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

The officer does not repeat what ``graph.yaml`` says of an argument: :meth:`Officer.fill_in` copies values from earlier
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
"""A tool's result, or a part of one."""

Steps = Generator[Call, Seen, None]
"""An expert's work: it yields calls and receives their results."""

Asking = Generator[Call, Seen, Seen]
"""Such work that ends with a result."""


class NotedCall(Call, frozen=True):
    """A call with the note that the expert writes before it; tools never see the note."""

    note: str = ""


class CaseEndedError(Exception):
    """Ends a case before its last step; each scenario has its own type of ``ending``."""

    def __init__(self, ending: Any) -> None:
        super().__init__(ending)
        self.ending = ending


class Officer(ABC):
    """Makes calls; the scenario's judgements decide their arguments and when to stop."""

    case_argument: ClassVar[str]
    """Name of the argument that holds the case's id, such as ``application_id``."""

    nodes: ClassVar[Mapping[str, Node]] = {}
    """Nodes of ``graph.yaml``, from which :meth:`fill_in` reads the origins of arguments."""

    case_id: str
    """Id of the case at hand, which the scenario reads from the request."""

    @cached_property
    def results(self) -> dict[str, list[tuple[Seen, Seen]]]:
        """Arguments and result of each call that succeeded, by tool."""
        return {}

    @abstractmethod
    def work(self) -> Steps:
        """Go through the SOP's steps up to the final review."""

    def written(self, name: str, arguments: Seen) -> Call:
        """Return the call to make; an officer that takes notes adds one."""
        return Call(name, arguments)

    def ask(self, name: str, /, **arguments: Any) -> Asking:
        """Make a call and return its result."""
        result = yield self.written(name, arguments)
        if "error" not in result:
            self.results.setdefault(name, []).append((arguments, result))
        return result

    def about_case(self, name: str, /, **arguments: Any) -> Asking:
        """Make a call about the case."""
        return (yield from self.ask(name, **{self.case_argument: self.case_id}, **arguments))

    def fill_in(self, name: str, /, **given: Any) -> Asking:
        """Make a call with the arguments given, and fill in the others by ``graph.yaml``.

        Copied arguments come from the request (the case's id, or the officer's attribute of the argument's name) or
        from the newest result about the same ids; derived ones are the officer's attribute, or the result of its
        method, of the argument's name.

        Args:
            name: a tool with a node in ``graph.yaml``.
            **given: arguments that the officer works out in its own way.

        Raises:
            ScenarioError: an argument has not been seen, or an argument given is not the tool's.
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
        """Return the officer's own value for an argument."""
        if argument == self.case_argument:
            return self.case_id
        if not hasattr(self, argument):
            raise ScenarioError(f"{name}.{argument}: expected it to be given, or a method {argument} of the officer")
        found = getattr(self, argument)
        return found() if callable(found) else found

    def _copied(self, name: str, argument: str, item: NodeInput, ids: Seen) -> Any:
        """Return an argument from the newest result, or row of one, that is about no other ids than these."""
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
        """End the case if a finding ends it; None goes on.

        Raises:
            CaseEndedError: there is an ending.
        """
        if ending is not None:
            raise CaseEndedError(ending)
        yield from ()


def _same(seen: Seen, ids: Seen) -> bool:
    return all(ids.get(key, value) == value for key, value in seen.items() if key in ids)


@cache
def nodes_of(package: str) -> Mapping[str, Node]:
    """Return the nodes of the ``graph.yaml`` in a package's folder."""
    return load_graph(resources.files(package).joinpath("graph.yaml").read_bytes()).nodes


def of(seen: Seen, *names: str) -> Seen:
    """Return the values seen under some names, as arguments of a call."""
    return {name: seen[name] for name in names}
