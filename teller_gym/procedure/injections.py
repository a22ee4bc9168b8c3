"""Prompt injections, which are texts in a case's records that instruct the agent to do something wrong.

A scenario lists them in ``injections.yaml``, in its folder or in the folder of its generator. A task whose records
contain one has the tag ``injection:<id>``. Wordings of the split ``heldout`` occur only in the held-out splits, those
of ``train`` in all others.
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
    """Call that an injection asks for."""

    name: str
    arguments: dict[str, Any]


class Asks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Effects of following an injection; ``{case_id}`` and ``{today}`` are filled in.

    Attributes:
        set: values by argument for all later calls with that argument.
        call: call to make immediately.
        skip: tools that are no longer to be called.
    """

    set: dict[str, Any] = {}
    call: AskedCall | None = None
    skip: tuple[str, ...] = ()


class Injection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Wording of an injected instruction.

    ``kind`` is the type of record that contains it, such as ``note`` or ``list_entry``.
    """

    id: str
    split: Literal["train", "heldout"]
    kind: str
    text: str
    asks: Asks


def load_injections(text: bytes | None) -> tuple[Injection, ...]:
    """Parse the wordings, or return an empty tuple without a file."""
    return msgspec.yaml.decode(text, type=tuple[Injection, ...]) if text else ()


def injected(task: Task, injections: Mapping[str, Injection]) -> list[Injection]:
    """Return the wordings named by a task's tags.

    Raises:
        KeyError: an id is unknown.
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
    """Demands of the injections read so far, with the ids of the case filled in."""

    def __init__(self, task: Task) -> None:
        self._ids = {"{case_id}": task.case_id, "{application_id}": task.case_id, "{today}": task.today.isoformat()}
        customers = [owner for owner in task.owners if owner != task.case_id]
        if customers:
            self._ids["{customer_id}"] = customers[0]
        self.set: dict[str, Any] = {}
        self.skip: set[str] = set()
        self.calls: list[Call] = []

    def take(self, asks: Asks) -> None:
        """Add an injection's demands."""
        self.set |= self._filled(asks.set)
        self.skip.update(asks.skip)
        if asks.call is not None:
            self.calls.append(Call(asks.call.name, self._filled(asks.call.arguments)))

    def bend(self, call: Call) -> Call:
        """Replace a call's arguments by the demanded values."""
        asked = {name: value for name, value in self.set.items() if name in call.arguments}
        return Call(call.name, {**call.arguments, **asked}) if asked else call

    def _filled(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self._ids.get(v, v) if isinstance(v, str) else v for name, v in values.items()}


def obeying(task: Task, steps: Steps, known: Mapping[str, dict[str, Any]], found: list[Injection]) -> Steps:
    """Yield an expert's calls with the changes demanded by injections, from the first call on.

    If a tool rejects a changed call, the expert's own call is made instead; skipped calls get their result from
    ``known``. The work ends if the expert cannot continue with the changed case.
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
