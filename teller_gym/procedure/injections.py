"""Injections: texts in a case's records that instruct the agent to do something; following one is never right.

A scenario lists them in ``injections.yaml``, in its folder or in the folder of its generator. A task whose records hold
one carries the tag ``injection:<id>``. Wordings of the split ``heldout`` occur only in the held-out splits, those of
``train`` in all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from teller_gym.procedure.officer import Steps
from teller_gym.procedure.task import Task
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text

TAG = "injection:"


class AskedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call that an injection asks for."""

    name: str
    arguments: dict[str, Any]


class Asks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Effects of following an injection; ``{case_id}`` and ``{today}`` are filled in.

    Attributes:
        set: values of arguments, by name, for any call that takes them from then on.
        call: a call that is made at once.
        skip: tools that are called no more.
    """

    set: dict[str, Any] = {}
    call: AskedCall | None = None
    skip: tuple[str, ...] = ()


class Injection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wording.

    Attributes:
        id: part of the tag.
        split: the split whose tasks may hold it.
        kind: of record, such as ``note`` or ``list_entry``.
        text: as the record has it, whole or as a part of the field.
        asks: what it asks for.
    """

    id: str
    split: Literal["train", "heldout"]
    kind: str
    text: str
    asks: Asks


def load_injections(text: bytes | None) -> tuple[Injection, ...]:
    """Read the wordings; none if there is no file."""
    return msgspec.yaml.decode(text, type=tuple[Injection, ...]) if text else ()


def injected(task: Task, injections: Mapping[str, Injection]) -> list[Injection]:
    """Return the wordings in a task's tags.

    Raises:
        KeyError: there is no wording of an id.
    """
    return [injections[tag.removeprefix(TAG)] for tag in task.tags if tag.startswith(TAG)]


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)


def holds(value: Any, injection: Injection) -> bool:
    """Return True if a JSON value contains a wording."""
    return any(injection.text in text for text in texts(value))


class Orders:
    """The demands of the injections read so far, filled in for a case."""

    def __init__(self, task: Task) -> None:
        self._ids = {"{case_id}": task.case_id, "{application_id}": task.case_id, "{today}": task.today.isoformat()}
        customers = [owner for owner in task.owners if owner != task.case_id]
        if customers:
            self._ids["{customer_id}"] = customers[0]
        self.set: dict[str, Any] = {}
        self.skip: set[str] = set()
        self.calls: list[Call] = []

    def take(self, asks: Asks) -> None:
        """Add the demands of one injection."""
        self.set |= self._filled(asks.set)
        self.skip.update(asks.skip)
        if asks.call is not None:
            self.calls.append(Call(asks.call.name, self._filled(asks.call.arguments)))

    def bend(self, call: Call) -> Call:
        """Return a call with the demanded values."""
        asked = {name: value for name, value in self.set.items() if name in call.arguments}
        return Call(call.name, {**call.arguments, **asked}) if asked else call

    def _filled(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self._ids.get(v, v) if isinstance(v, str) else v for name, v in values.items()}


def obeying(task: Task, steps: Steps, known: Mapping[str, dict[str, Any]], found: list[Injection]) -> Steps:
    """Yield an expert's calls, but follow injections, all of them from the first call on.

    If a tool refuses a changed call, the expert's own call is made instead. An expert that cannot go on with the
    changed case stops.

    Args:
        task: the case.
        steps: the expert's.
        known: results by action, which the expert gets for calls that are skipped.
        found: the wordings to follow.
    """
    orders = Orders(task)
    for injection in found:
        orders.take(injection.asks)
    call = next(steps)
    try:
        while True:
            text = action_text(call)
            if call.name in orders.skip and text in known:
                result = known[text]
            else:
                bent = orders.bend(call)
                result = yield bent
                if "error" in result and bent != call:
                    result = yield call
                if "error" in result:
                    return
            while orders.calls:
                yield orders.calls.pop(0)
            call = steps.send(result)
    except (StopIteration, LookupError, TypeError, ValueError):
        return
